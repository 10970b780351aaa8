/** How names and settings on the command line are understood. */
import { describe, expect, test } from 'vitest';
import { matchClip, onlyClip } from '../../../src/cli/clipName.js';
import { containerOf, optionsByChain, parseSetting } from '../../../src/cli/options.js';
import { table } from '../../../src/cli/output.js';

describe('--clip', () => {
  const names = [
    'Armature|Walk',
    'Armature|Walk_Slow',
    'Walk',
    'Other|RUN',
    'A|Idle',
    'B|idle',
    '#6',
    'idle',
  ];

  test.each([
    ['Armature|Walk', 0],
    ['Walk', 2],
    ['walk_slow', 1],
    ['run', 3],
    ['#6', 6],
    ['idle', 7],
  ])('%s is clip %i', (wanted, index) => {
    expect(matchClip(names, wanted)).toBe(index);
  });

  test('several that fit are listed', () => {
    expect(() => matchClip(['A|Idle', 'B|idle', 'Walk'], 'IDLE')).toThrow(
      '--clip IDLE fits several clips: A|Idle, B|idle',
    );
  });

  test('none that fits lists all', () => {
    expect(() => matchClip(names, 'Armature|walk')).toThrow(/fits no clip: Armature\|Walk, .*idle$/);
  });

  test('is not needed when there is only one', () => {
    expect(onlyClip(['Swim'], undefined)).toBe(0);
    expect(() => onlyClip([], undefined)).toThrow(/no clips/);
  });
});

describe('--set', () => {
  test('splits at the last dot: bone names may hold dots', () => {
    expect(parseSetting('tail.001.damping=0.5')).toEqual({ chain: 'tail.001', options: { damping: 0.5 } });
    expect(parseSetting('*.frequency=1.25')).toEqual({ chain: '*', options: { frequency: 1.25 } });
    expect(parseSetting('a=b.keepOut=off')).toEqual({ chain: 'a=b', options: { keepOut: false } });
  });

  test('angles are degrees outside and radians inside; a limit can be off', () => {
    expect(parseSetting('*.limit=30').options.limit).toBeCloseTo(Math.PI / 6, 15);
    expect(parseSetting('*.carry=-20').options.carry).toBeCloseTo(-Math.PI / 9, 15);
    expect(parseSetting('*.limit=off').options.limit).toBe(Infinity);
  });

  test('words are words', () => {
    expect(parseSetting('Tail.owner=solver').options).toEqual({ owner: 'solver' });
    expect(() => parseSetting('Tail.owner=me')).toThrow(/auto or solver or clip/);
    for (const name of ['colliderMask', 'groups', 'chainMask'])
      for (const [text, value] of [
        ['all', 0xffffffff],
        ['none', 0],
        ['5', 5],
      ])
        expect(parseSetting(`Tail.${name}=${text}`).options).toEqual({ [name]: value });
    for (const text of ['-1', '1.5', '4294967296', 'some', ''])
      expect(() => parseSetting(`*.colliderMask=${text}`)).toThrow(/expected all, none or a number from 0/);
    expect(() => parseSetting('*.wind=0.5')).toThrow(/no wind blows in a bake/);
    expect(() => parseSetting('Tail.floor=maybe')).toThrow(/expected on or off/);
    expect(() => parseSetting('Tail.damping=')).toThrow(/expected a number/);
    expect(() => parseSetting('.damping=1')).toThrow(/chain\.option=value/);
  });

  test('later settings win, those of one chain reach only it', () => {
    const chain = (name: string) => ({ name, attachment: 0, bones: [1], end: -1, origin: 'artist' as const });
    const settings = ['*.damping=0.2', 'A.damping=0.4', 'A.air=0', '*.air=1'].map(parseSetting);
    const options = optionsByChain([chain('A'), chain('B')], settings);
    expect(options(chain('A'))).toEqual({ damping: 0.4, air: 1 });
    expect(options(chain('B'))).toEqual({ damping: 0.2, air: 1 });
    expect(() => optionsByChain([chain('A')], [parseSetting('C.air=0')])).toThrow(/the file has A/);
  });
});

test('the container follows the name', () => {
  expect(['a.glb', 'b.GLB', 'c.vrm', 'd.gltf', 'e.fbx', 'glb'].map(containerOf)).toEqual([
    'glb',
    'glb',
    'glb',
    'gltf',
    undefined,
    undefined,
  ]);
});

test('tables are aligned, text left and figures right, without trailing blanks', () => {
  expect(
    table(
      ['name', 'n'],
      [
        ['a', '1'],
        ['long name', '1000'],
      ],
    ),
  ).toBe(['name          n', 'a             1', 'long name  1000'].join('\n'));
});
