/** What these tests use of the package beyond what the benchmark declares; its own index cannot be resolved in ESM. */
declare module '@pixiv/three-vrm-springbone' {
  export class VRMSpringBoneLoaderPlugin {
    constructor(parser: { json: object; getDependencies: (type: string) => Promise<object[]> });
    afterRoot(gltf: { parser: object; scene: object; userData: object }): Promise<void>;
  }
}
