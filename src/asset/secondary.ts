/**
 * What a file says about secondary motion: springs, colliders and node constraints as VRM files hold them, one form for
 * VRM 0.x and 1.0. Plain data; bones are indices in the skeleton. Offsets, directions and normals stand in glTF's space.
 */

/** Shape of a collider, in the space of its bone, bind scale; `inside` keeps what is in it in. */
export type ColliderShape =
  | {
      /** A ball. */
      kind: 'sphere';
      /** Its centre. */
      offset: [number, number, number];
      /** Its radius, >= 0. */
      radius: number;
      /** Whether the inside is free. */
      inside: boolean;
    }
  | {
      /** Two balls and what lies between them. */
      kind: 'capsule';
      /** Centre of the first ball. */
      offset: [number, number, number];
      /** Centre of the second ball. */
      tail: [number, number, number];
      /** Radius of the first ball, >= 0. */
      radius: number;
      /** Radius of the second ball; equal to `radius` in VRM. */
      tailRadius: number;
      /** Whether the inside is free. */
      inside: boolean;
    }
  | {
      /** A half space. */
      kind: 'plane';
      /** A point of the plane. */
      offset: [number, number, number];
      /** Unit, points to the free side. */
      normal: [number, number, number];
    };

/** A collider on a bone. */
export interface ColliderDefinition {
  /** Bone that carries it. */
  bone: number;
  /** Its shape. */
  shape: ColliderShape;
  /**
   * What the collider fit did to it: it made it, or it grew it from the radii that its author gave it (one, or two for a
   * capsule that has two). None for one that stands as its author left it. A later fit begins with the author's again.
   */
  fitted?:
    | {
        /** It is not of the file's author. */
        made: true;
      }
    | {
        /** Radii before it grew. */
        radii: number[];
      };
}

/** A named set of colliders. */
export interface ColliderGroupDefinition {
  /** Name, or `group<index>`. */
  name: string;
  /** Indices in {@link SecondaryMotion.colliders}. */
  colliders: number[];
}

/** One joint of a spring: the bone that turns, with the parameters of the segment to the next joint. */
export interface SpringJoint {
  /** Bone that turns. */
  bone: number;
  /** Radius that is tested at the end of the segment, in the units of its bone: scaled with what it hangs from, as colliders are. */
  hitRadius: number;
  /** Pull towards the rest direction, >= 0. */
  stiffness: number;
  /** Size of the gravity, >= 0. */
  gravityPower: number;
  /** Its direction, world, unit. */
  gravityDir: [number, number, number];
  /** Share of the motion lost per 60 Hz frame, 0..1. */
  dragForce: number;
}

/** A spring: a chain of joints and where it ends. */
export interface SpringDefinition {
  /** Name, or `spring<index>`. */
  name: string;
  /** Joints from root to tip; each an ancestor of the next. */
  joints: SpringJoint[];
  /** Bone whose head is the end of the last segment, -1 when {@link endOffset} says it. */
  end: number;
  /** End of the last segment in the space of the last joint's bone, where no bone stands there (VRM 0.x leaves: 7 cm). */
  endOffset: [number, number, number] | undefined;
  /** Indices in {@link SecondaryMotion.groups}. */
  groups: number[];
  /** Bone in whose space motion is felt, -1: world. */
  center: number;
}

/** A node constraint of VRMC_node_constraint. */
export interface ConstraintDefinition {
  /** Bone that is turned. */
  bone: number;
  /** Bone that it follows. */
  source: number;
  /** What of the source it follows. */
  kind: 'roll' | 'aim' | 'rotation';
  /** Axis in the bone's own space: of the roll, or the one that aims; unit, along an axis. */
  axis: [number, number, number];
  /** 0..1. */
  weight: number;
}

/** Everything a file says about secondary motion. */
export interface SecondaryMotion {
  /** Where it comes from. */
  source: 'vrm-0' | 'vrm-1' | 'vrma' | 'springbone';
  /** All colliders. */
  colliders: ColliderDefinition[];
  /** Named sets of them. */
  groups: ColliderGroupDefinition[];
  /** All springs; no bone is turned by two. */
  springs: SpringDefinition[];
  /** Node constraints, in the order of the file. */
  constraints: ConstraintDefinition[];
  /** Humanoid bone by its VRM name (`head`, `leftUpperLeg`, ...). */
  humanoid: Readonly<Record<string, number>>;
}
