/**
 * Writes a character as a GLB the way an exporter would: one skinned mesh at the top of the scene, an armature node
 * with the hips under it, inverse bind matrices from the bind pose, one sampler per animated property.
 */
import { Document, WebIO, type Accessor, type Node } from '@gltf-transform/core';
import type { ClipKeys } from './clips.js';
import { furTexture } from './furTexture.js';
import { localRotation, localTranslation, type Rig } from './humanoidRig.js';
import { conjugate, rotate, scale, X, Y, Z, type Quat, type Vec3 } from './linear.js';
import { vertexBuffers, type Piece } from './skin.js';

export interface Character {
  name: string;
  rig: Rig;
  pieces: Piece[];
  clips: ClipKeys[];
  /** Seed of the fur texture. */
  seed: number;
}

export async function characterGlb(character: Character): Promise<Uint8Array> {
  const document = new Document();
  const nodes = writeSkeleton(document, character);
  writeMesh(document, character, nodes);
  for (const clip of character.clips) writeClip(document, clip, nodes);
  return new WebIO().writeBinary(document);
}

function writeSkeleton(document: Document, { name, rig }: Character): Node[] {
  const nodes = rig.bones.map((bone, i) =>
    document
      .createNode(bone.name)
      .setTranslation([...localTranslation(rig, i)])
      .setRotation([...(bone.savedRotation ?? localRotation(rig, i))]),
  );
  const armature = document.createNode('Armature');
  rig.bones.forEach((bone, i) => (nodes[bone.parent] ?? armature).addChild(nodes[i]!));
  document.getRoot().setDefaultScene(document.createScene(name).addChild(armature));
  return nodes;
}

function writeMesh(document: Document, { name, rig, pieces, seed }: Character, nodes: readonly Node[]): void {
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const buffers = vertexBuffers(pieces);
  const accessor = (
    type: ReturnType<Accessor['getType']>,
    array: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
    normalized = false,
  ): Accessor =>
    document.createAccessor().setType(type).setArray(array).setNormalized(normalized).setBuffer(buffer);
  const fur = document
    .createTexture('fur')
    .setImage(new Uint8Array(furTexture(seed)))
    .setMimeType('image/png');
  const material = document
    .createMaterial('fur')
    .setBaseColorTexture(fur)
    .setMetallicFactor(0)
    .setRoughnessFactor(0.95);
  const primitive = document
    .createPrimitive()
    .setIndices(accessor('SCALAR', buffers.indices))
    .setAttribute('POSITION', accessor('VEC3', buffers.positions))
    .setAttribute('NORMAL', accessor('VEC3', buffers.normals))
    .setAttribute('TEXCOORD_0', accessor('VEC2', buffers.uvs))
    .setAttribute('COLOR_0', accessor('VEC4', buffers.colors, true))
    .setAttribute('JOINTS_0', accessor('VEC4', buffers.joints))
    .setAttribute('WEIGHTS_0', accessor('VEC4', buffers.weights))
    .setMaterial(material);
  const inverseBinds = new Float32Array(rig.bones.flatMap((bone) => inverseBind(bone.head, bone.rotation)));
  const skin = document
    .createSkin(name)
    .setInverseBindMatrices(accessor('MAT4', inverseBinds))
    .setSkeleton(nodes[0]!);
  for (const node of nodes) skin.addJoint(node);
  const mesh = document.createMesh(name).addPrimitive(primitive);
  document.getRoot().getDefaultScene()!.addChild(document.createNode(name).setMesh(mesh).setSkin(skin));
}

/** Column-major inverse of a rotation about and translation to the head of a bone. */
function inverseBind(head: Vec3, rotation: Quat): number[] {
  const back = conjugate(rotation);
  const columns = [X, Y, Z].map((axis) => [...rotate(back, axis), 0]);
  return [...columns.flat(), ...scale(rotate(back, head), -1), 1];
}

function writeClip(document: Document, clip: ClipKeys, nodes: readonly Node[]): void {
  const buffer = document.getRoot().listBuffers()[0]!;
  const animation = document.createAnimation(clip.name);
  const times = document
    .createAccessor()
    .setType('SCALAR')
    .setArray(Float32Array.from(clip.times))
    .setBuffer(buffer);
  for (const { bone, path, values } of clip.tracks) {
    const output = document
      .createAccessor()
      .setType(path === 'rotation' ? 'VEC4' : 'VEC3')
      .setArray(Float32Array.from(values))
      .setBuffer(buffer);
    const sampler = document
      .createAnimationSampler()
      .setInput(times)
      .setOutput(output)
      .setInterpolation('LINEAR');
    const channel = document.createAnimationChannel().setTargetNode(nodes[bone]!).setTargetPath(path);
    animation.addSampler(sampler).addChannel(channel.setSampler(sampler));
  }
}
