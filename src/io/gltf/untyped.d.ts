declare module 'draco3dgltf' {
  const npm: { createDecoderModule: () => Promise<object> };
  export default npm;
}

declare module 'gltf-validator' {
  /** One finding of the validator. */
  export interface Message {
    code: string;
    message: string;
    /** 0 error, 1 warning, 2 information, 3 hint. */
    severity: 0 | 1 | 2 | 3;
    /** JSON pointer of the place; missing for faults of the container. */
    pointer?: string;
    /** Byte of the place, for faults of the container. */
    offset?: number;
  }
  export interface Report {
    issues: { numErrors: number; numWarnings: number; messages: Message[]; truncated: boolean };
  }
  export interface Options {
    uri?: string;
    format?: 'glb' | 'gltf';
    externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
    writeTimestamp?: boolean;
    maxIssues?: number;
    ignoredIssues?: string[];
  }
  export function validateBytes(bytes: Uint8Array, options?: Options): Promise<Report>;
}
