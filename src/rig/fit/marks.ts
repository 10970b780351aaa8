/**
 * Marks of the collider fit: what it made and what it grew is told from what the author left, so that a character that
 * was fitted is fitted again from where its author left it. So a second fit changes nothing, and the bound of the growth
 * holds however often one fits.
 */
import type { ColliderDefinition, SecondaryMotion } from '../../asset/secondary.js';

/**
 * Springs and colliders without an earlier fit: what it made is gone, with the groups that held nothing else, what it
 * grew has its author's radii.
 *
 * @returns the very object that came in where nothing was fitted
 */
export function asAuthored(secondary: SecondaryMotion): SecondaryMotion {
  if (secondary.colliders.every(({ fitted }) => fitted === undefined)) return secondary;
  const colliders: ColliderDefinition[] = [];
  const colliderAt = secondary.colliders.map((one) => (isMade(one) ? -1 : colliders.push(restored(one)) - 1));
  const groups: SecondaryMotion['groups'] = [];
  const groupAt = secondary.groups.map(({ name, colliders: members }) => {
    const rest = members.map((member) => colliderAt[member] ?? -1).filter((member) => member >= 0);
    return rest.length === 0 && members.length > 0 ? -1 : groups.push({ name, colliders: rest }) - 1;
  });
  const springs = secondary.springs.map((spring) => ({
    ...spring,
    groups: spring.groups.map((group) => groupAt[group] ?? -1).filter((group) => group >= 0),
  }));
  return { ...secondary, colliders, groups, springs };
}

function isMade({ fitted }: ColliderDefinition): boolean {
  return fitted !== undefined && 'made' in fitted;
}

function restored({ bone, shape, fitted }: ColliderDefinition): ColliderDefinition {
  if (fitted === undefined || 'made' in fitted || shape.kind === 'plane') return { bone, shape };
  const [radius = shape.radius, tailRadius = radius] = fitted.radii;
  return { bone, shape: shape.kind === 'sphere' ? { ...shape, radius } : { ...shape, radius, tailRadius } };
}

/**
 * A collider with larger radii, and those of before noted. Its centre stays to the bit.
 *
 * @param growth - in the space of its bone
 */
export function grownCollider(collider: ColliderDefinition, growth: number): ColliderDefinition {
  const { bone, shape } = collider;
  if (shape.kind === 'plane') return collider;
  const radius = shape.radius + growth;
  if (shape.kind === 'sphere')
    return { bone, shape: { ...shape, radius }, fitted: { radii: [shape.radius] } };
  const radii = shape.tailRadius === shape.radius ? [shape.radius] : [shape.radius, shape.tailRadius];
  return { bone, shape: { ...shape, radius, tailRadius: shape.tailRadius + growth }, fitted: { radii } };
}
