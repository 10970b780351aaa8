/** Springs of a file as chains: masks, ends, the switch to the hair preset, scale, sleep, faults. */
import { describe, expect, it } from 'vitest';
import {
  addCharacter,
  addSprings,
  chainsOf,
  createWorld,
  rowOf,
  setChain,
  setRoot,
  step,
  type SecondaryMotion,
} from '../../../src/index.js';
import { chainModel, contactPart } from '../../../src/components/codes.js';
import { lengthFault, makeScene, makeTail, run, tipsOf, type Scene } from '../../support/chains.js';
import { add, axisAngle, len, mul, qrot, sub, type V3 } from '../../support/referenceMath.js';
import { naive, plain, played, vrmTail, worstDistance, type Motion } from './support.js';

const tail = makeTail({ links: 3, length: 0.3, hips: [0, 1, 0], axes: 5 });

function secondaryOf(changes: Partial<SecondaryMotion> = {}): SecondaryMotion {
  return {
    source: 'vrm-1',
    colliders: [
      { bone: 2, shape: { kind: 'sphere', offset: [0, 0, 0], radius: 0.05, inside: false } },
      { bone: 2, shape: { kind: 'sphere', offset: [0, 0.2, 0], radius: 0.05, inside: false } },
    ],
    groups: [
      { name: 'unused', colliders: [1] },
      { name: 'head', colliders: [0] },
    ],
    springs: [
      {
        name: 'hair',
        joints: tail.bones.links.map((bone) => ({ ...plain, bone, hitRadius: 0.02 })),
        end: tail.bones.end,
        endOffset: undefined,
        groups: [1],
        center: -1,
      },
    ],
    constraints: [],
    humanoid: {},
    ...changes,
  };
}

function sceneOf(
  secondary: SecondaryMotion,
  options: Parameters<typeof addSprings>[2] = {},
): Scene & { colliders: number[] } {
  const world = createWorld();
  const character = addCharacter(world, { ...tail.asset, secondary });
  const added = addSprings(world, character, options);
  return {
    world,
    character,
    chain: added.chains[0]!,
    tail,
    pose: undefined as never,
    colliders: added.colliders,
  };
}

describe('addSprings', () => {
  it('makes one chain per spring in the VRM model, tested at the tips, that feels its own groups only', () => {
    const { world, character, chain, colliders } = sceneOf(secondaryOf());
    const row = rowOf(world, 'chain', chain);
    const { views } = world;
    expect(chainsOf(world, character)).toEqual([chain]);
    expect(views.chain.model[row]).toBe(chainModel.vrm);
    expect(views.chain.contactPart[row]).toBe(contactPart.tip);
    expect(views.chain.colliderMask[row]).toBe(0b10);
    expect(colliders).toHaveLength(1);
    expect(views.collider.groups[rowOf(world, 'collider', colliders[0]!)]).toBe(0b10);
    expect(views.particle.radius[views.chain.first[row]!]).toBeCloseTo(0.02, 12);
  });

  it('keeps tips out of the colliders of the spring', () => {
    const secondary = secondaryOf();
    secondary.colliders[0]!.shape = { kind: 'sphere', offset: [0, -0.2, 0.01], radius: 0.09, inside: false };
    secondary.colliders[0]!.bone = 0;
    secondary.colliders[0]!.shape.offset = [0, 0.8, 0.01];
    const scene = sceneOf(secondary);
    run(scene, 240);
    const depths = tipsOf(scene).map((tip) => 0.09 + 0.02 - len(sub(tip, [0, 0.8, 0.01])));
    expect(Math.max(...depths)).toBeLessThan(1e-6);
    expect(Math.max(...depths)).toBeGreaterThan(-1e-3); // it touches
  });

  it('a spring that ends in an offset is as one that ends in a bone there', () => {
    const last = tail.bones.links.at(-1)!;
    const secondary = secondaryOf();
    secondary.springs[0]!.end = -1;
    secondary.springs[0]!.endOffset = tail.bind.offsets.at(-1)!;
    expect(secondary.springs[0]!.joints.at(-1)!.bone).toBe(last);
    const ends = [secondaryOf(), secondary].map((given) => {
      const scene = sceneOf(given);
      setRoot(scene.world, scene.character, { position: [0.3, 0, 0] });
      run(scene, 30);
      return tipsOf(scene);
    });
    expect(worstDistance([ends[0]!], [ends[1]!])).toBeLessThan(1e-12);
    const { views } = sceneOf(secondary).world;
    expect(views.particle.length[2]).toBeCloseTo(0.1, 12);
  });

  it("model 'spring' is the hair preset, and setChain goes back and forth", () => {
    const scene = sceneOf(secondaryOf(), { model: 'spring' });
    const { world, chain } = scene;
    const row = rowOf(world, 'chain', chain);
    expect(world.views.chain.frequency[row]).toBeCloseTo(1.5, 9); // 0.3 m
    expect(world.views.chain.coupling[row]).toBe(0);
    const after = (change: () => void): V3[] => {
      change();
      setRoot(world, scene.character, { position: [world.tick / 1000, 0, 0] });
      run(scene, 10);
      return tipsOf(scene);
    };
    after(() => setChain(world, chain, { model: 'vrm' }));
    expect(world.views.particle.hold[world.views.chain.first[row]!]).toBeCloseTo(36, 12);
    after(() => setChain(world, chain, { model: 'spring' }));
    expect(world.views.particle.hold[world.views.chain.first[row]!]).toBe(0);
  });

  it('added twice adds no collider twice', () => {
    const { world, character } = sceneOf(secondaryOf());
    const before = world.views.collider.id.filter((id) => id !== 0).length;
    expect(addSprings(world, character)).toEqual({ chains: [], colliders: [] });
    expect(world.views.collider.id.filter((id) => id !== 0)).toHaveLength(before);
  });

  it('says it when there is nothing to add, and when groups share bits', () => {
    const world = createWorld();
    const bare = addCharacter(world, tail.asset);
    expect(() => addSprings(world, bare)).toThrow('the file says nothing about springs');
    const groups = Array.from({ length: 33 }, (_, i) => ({ name: `g${i}`, colliders: [] }));
    addSprings(world, bare, { secondary: secondaryOf({ groups }) });
    expect(world.report.warnings.map(({ code }) => code)).toContain('too-many-collider-groups');
  });

  it.each([
    [0.6, 1, 1.5],
    [0.075, 1, 3],
    [7.5, 100, 3],
    [0.001, 1, 5],
  ])('hair of %d units, %d to a metre, swings at %d Hz', (length, unit, frequency) => {
    const lock = makeTail({ links: 2, length });
    const scene = makeScene({ ...lock, definition: { ...lock.definition, origin: 'hair' } }, { unit });
    expect(scene.world.views.chain.frequency[0]).toBeCloseTo(frequency, 9);
    setChain(scene.world, scene.chain, { frequency: 2 });
    expect(scene.world.views.chain.frequency[0]).toBe(2);
  });

  it('refuses the VRM model without joints, and joints out of range', () => {
    expect(() => makeScene(tail, { model: 'vrm' })).toThrow(
      'chain Tail_1: model vrm with 0 joints, expected one for each of 3 bones',
    );
    const secondary = secondaryOf();
    secondary.springs[0]!.joints[1]!.dragForce = 2;
    expect(() => sceneOf(secondary)).toThrow('joint 1: dragForce is 2, expected 0 to 1');
  });
});

const swing: Motion = (t) => ({
  position: [0.3 * Math.sin(6 * t), 0, 0],
  rotation: axisAngle([0, 0, 1], 0.6 * Math.sin(4 * t)),
});
const values = { ...plain, gravityPower: 0.4 };

describe('the VRM model', () => {
  it('swings alike at any scale: at 0.01 and 100 the tips stand at scaled places', () => {
    const spec = { links: 3, length: 0.3, hips: [0, 1, 0] as V3 };
    const at = (scale: number): V3[] => {
      const scene = makeScene(vrmTail(spec, [values]), { scale: [scale, scale, scale], floor: false });
      for (let k = 1; k <= 120; k++) {
        const { position, rotation } = swing(k / 120);
        setRoot(scene.world, scene.character, {
          position: mul(position, scale),
          rotation,
          scale: [scale, scale, scale],
        });
        step(scene.world);
      }
      return tipsOf(scene).map((tip) => mul(tip, 1 / scale));
    };
    for (const scale of [0.01, 100]) expect(worstDistance([at(scale)], [at(1)])).toBeLessThan(1e-9);
  });

  it('keeps every length, whatever the drag', () => {
    for (const dragForce of [0, 0.4, 1]) {
      const scene = makeScene(vrmTail({ links: 4, length: 0.4 }, [{ ...values, dragForce }]), {
        floor: false,
      });
      for (let k = 1; k <= 200; k++) {
        setRoot(scene.world, scene.character, swing(k / 120));
        step(scene.world);
        const { position, rotation } = swing(k / 120);
        expect(lengthFault(scene, add(position, qrot(rotation, [0, 1, 0])))).toBeLessThan(1);
      }
    }
  });

  it('comes to rest, sleeps, and wakes when its root moves', () => {
    const scene = makeScene(vrmTail({ links: 3, length: 0.3 }, [values]), { floor: false });
    const status = (): number => scene.world.views.chain.status[rowOf(scene.world, 'chain', scene.chain)]!;
    setRoot(scene.world, scene.character, swing(0.2));
    run(scene, 120 * 20);
    expect(status()).toBe(1);
    const asleep = tipsOf(scene);
    setRoot(scene.world, scene.character, swing(0.25));
    run(scene, 5);
    expect(status()).toBe(0);
    expect(worstDistance([asleep], [tipsOf(scene)])).toBeGreaterThan(1e-4);
  });

  it('without stiffness hangs down as a pendulum, below its attachment', () => {
    const limp = { ...values, stiffness: 0, gravityPower: 1 };
    const scene = makeScene(vrmTail({ links: 3, length: 0.3, direction: [0, 0, -1] }, [limp]), {
      floor: false,
    });
    run(scene, 120 * 20);
    const tips = tipsOf(scene);
    expect(len(sub(tips[2]!, add([0, 1, 0], [0, -0.3, 0])))).toBeLessThan(1e-3);
  });

  it('below 60 ticks takes steps enough: at 20 ticks it stays near the algorithm', () => {
    const spec = { links: 2, length: 0.2, hips: [0, 0.1, -0.1] as V3 };
    const slow: Motion = (t) => ({
      position: [0.05 * Math.sin(3 * t), 0, 0],
      rotation: axisAngle([0, 1, 0], Math.sin(3 * t)),
    });
    const frames = naive(vrmTail(spec, [values]), spec.hips, [values], slow, 3);
    const ticks = played(vrmTail(spec, [values]), slow, 3, 20);
    const thirds = frames.filter((_, k) => (k + 1) % 3 === 0);
    expect(worstDistance(ticks, thirds)).toBeLessThan(0.01 * spec.length);
  });

  it('rest is measured from the link above: a turned head takes its hair along', () => {
    const turned = axisAngle([1, 0, 0], 1);
    const scene = makeScene(vrmTail({ links: 2, length: 0.2, hips: [0, 0, 0] }, [plain]), { floor: false });
    setRoot(scene.world, scene.character, { rotation: turned });
    run(scene, 600);
    expect(len(sub(tipsOf(scene)[1]!, qrot(turned, [0, -0.2, 0])))).toBeLessThan(1e-6);
  });
});
