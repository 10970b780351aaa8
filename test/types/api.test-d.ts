/**
 * The public types as a user meets them: the example of the README compiles, wrong use does not, and typed arrays are
 * the plain ones that every version of TypeScript knows.
 */
import {
  addCharacter,
  addChains,
  addFloor,
  advance,
  createPose,
  createWorld,
  findChains,
  type FollowthroughError,
  play,
  readPose,
  setPose,
  step,
  type Asset,
  type ChainDefinition,
  type ChainOptions,
  type Pose,
  type Warning,
  type World,
} from 'followthrough';
import { loadGltf } from 'followthrough/gltf';
import { describe, expectTypeOf, it } from 'vitest';

describe('the core', () => {
  it('takes a file to a pose without a cast', async () => {
    const asset = await loadGltf(new Uint8Array(0));
    expectTypeOf(asset).toExtend<Asset>();
    const world = createWorld({ tickRate: 120 });
    expectTypeOf(world).toEqualTypeOf<World>();
    const fox = addCharacter(world, asset);
    expectTypeOf(addChains(world, fox, { damping: 0.65 })).toEqualTypeOf<number[]>();
    expectTypeOf(play(world, fox, 'Walk')).toEqualTypeOf<number>();
    expectTypeOf(advance(world, 1 / 60)).toEqualTypeOf<number>();
    expectTypeOf(step(world)).toEqualTypeOf<void>();
    expectTypeOf(readPose(world, fox, createPose(world, fox))).toEqualTypeOf<Pose>();
  });

  it('takes the chains that the caller names', () => {
    expectTypeOf(findChains).returns.toEqualTypeOf<ChainDefinition[]>();
    expectTypeOf<{ chains: ChainDefinition[] }>().toExtend<Parameters<typeof addChains>[2]>();
  });

  it('hands out plain typed arrays', () => {
    expectTypeOf<Pose['rotations']>().toEqualTypeOf<Float64Array>();
    expectTypeOf<Pose['worlds']>().toEqualTypeOf<Float64Array>();
    expectTypeOf<World['views']['particle']['position']>().toEqualTypeOf<Float64Array>();
    expectTypeOf<World['views']['chain']['count']>().toEqualTypeOf<Int32Array>();
  });

  it('reports in data with stable codes', () => {
    expectTypeOf<World['report']['warnings']>().toEqualTypeOf<Warning[]>();
    expectTypeOf<FollowthroughError>().toExtend<Error & { code: string }>();
  });

  it('knows its options by name', () => {
    const world = createWorld();
    expectTypeOf<ChainOptions['owner']>().toEqualTypeOf<'auto' | 'solver' | 'clip' | undefined>();
    // @ts-expect-error the option is called damping
    addChains(world, 1, { dampening: 0.65 });
    // @ts-expect-error a floor's normal has three numbers
    addFloor(world, { normal: [0, 1] });
    // @ts-expect-error poses are lists of numbers
    setPose(world, 1, { rotations: 'none' });
  });
});
