/** Runs in the engine that `followthrough verify --engine` names: reads a replay, prints the answer. Arguments: file, tick to seek. */
import { readFileSync } from 'node:fs';
import { verifyJson } from './verifyJson.js';

const [file, seek] = process.argv.slice(2);
const options = seek === undefined ? {} : { seek: Number(seek) };
process.stdout.write(`${verifyJson(readFileSync(file!), options)}\n`);
