/**
 * The processes of the example: the same program with a role and its options as arguments. None outlives its parent, however
 * that ends, and a child that ends early fails whatever waits for it.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What a child tells. */
export interface Told {
  what: string;
}

/** A running child. */
export interface Child {
  /** The next message of a kind, also if it came before; rejects when the child ends without it. */
  next<T extends Told>(what: T['what']): Promise<T>;
  /** Tells the child something. */
  tell<T extends Told>(message: T): void;
  /** Called for each message of a kind. */
  on<T extends Told>(what: T['what'], listener: (told: T) => void): void;
  /** Asks it to end, and waits. */
  stop(): Promise<void>;
}

/** Starts children. */
export type StartChild = (role: string, options: object) => Child;

/** Time that a child has to end by itself, milliseconds. */
const patience = 5000;

/**
 * Runs something with children, which are ended after it.
 *
 * @param program - file of this program
 * @param limit - milliseconds after which it has failed
 */
export async function withChildren<T>(
  program: string,
  limit: number,
  work: (start: StartChild) => Promise<T>,
): Promise<T> {
  const processes = new Set<ChildProcess>();
  const start: StartChild = (role, options) => startChild(program, role, options, processes);
  const killAll = (): void => {
    for (const child of processes) child.kill('SIGKILL');
  };
  process.once('exit', killAll);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limit / 1000} s`)), limit);
  });
  try {
    return await Promise.race([work(start), late]);
  } finally {
    clearTimeout(timer);
    killAll();
  }
}

function startChild(program: string, role: string, options: object, processes: Set<ChildProcess>): Child {
  const child = fork(program, [role, JSON.stringify(options)]);
  processes.add(child);
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
    processes.delete(child);
    return `${role} ended (${code ?? signal})`;
  });
  const told: Told[] = [];
  child.on('message', (message: Told) => told.push(message));
  return {
    async next<T extends Told>(what: T['what']) {
      const find = (): T | undefined => {
        const index = told.findIndex((message) => message.what === what);
        return index < 0 ? undefined : (told.splice(index, 1)[0] as T);
      };
      for (;;) {
        const found = find();
        if (found) return found;
        const message = new Promise<undefined>((resolve) => child.once('message', () => resolve(undefined)));
        const end = await Promise.race([message, ended]);
        const last = find();
        if (last) return last;
        if (end !== undefined) throw new Error(end);
      }
    },
    tell: (message) => void child.send(message),
    on<T extends Told>(what: T['what'], listener: (message: T) => void) {
      child.on('message', (message: Told) => {
        if (message.what === what) listener(message as T);
      });
    },
    async stop() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), patience);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** In a child: tells the parent something, and waits until it is on its way. */
export function tell<T extends Told>(message: T): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}

/** In a child: what to do when the parent wants it to end, or is gone. */
export function onStop(stop: () => Promise<void>): void {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), patience / 2).unref();
    void stop().then(() => process.exit(0));
  });
}
