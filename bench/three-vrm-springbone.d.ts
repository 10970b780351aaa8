/** What the benchmark uses of the package: its own index cannot be resolved in ESM (imports without extension). */
declare module '@pixiv/three-vrm-springbone' {
  import type { Object3D, Vector3 } from 'three';

  export class VRMSpringBoneJoint {
    constructor(
      bone: Object3D,
      child: Object3D | null,
      settings?: {
        hitRadius?: number;
        stiffness?: number;
        gravityPower?: number;
        gravityDir?: Vector3;
        dragForce?: number;
      },
      colliderGroups?: { colliders: VRMSpringBoneCollider[] }[],
    );
  }

  export class VRMSpringBoneManager {
    addJoint(joint: VRMSpringBoneJoint): void;
    setInitState(): void;
    update(delta: number): void;
  }

  export class VRMSpringBoneColliderShapeSphere {
    constructor(params?: { radius?: number; offset?: Vector3 });
  }

  export class VRMSpringBoneColliderShapeCapsule {
    constructor(params?: { radius?: number; offset?: Vector3; tail?: Vector3 });
  }

  export class VRMSpringBoneCollider {
    constructor(shape: VRMSpringBoneColliderShapeSphere | VRMSpringBoneColliderShapeCapsule);
  }
}
