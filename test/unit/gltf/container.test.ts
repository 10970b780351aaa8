/**
 * The GLB container, data URIs and JSON text that is changed in place.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGlb, writeGlb } from '../../../src/io/gltf/container.js';
import { rewriteJson } from '../../../src/io/gltf/jsonText.js';
import type { Json } from '../../support/gltfBuilder.js';
import { decodeDataUri, encodeDataUri } from '../../../src/io/gltf/uri.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const chunk = (type: number, data: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(8 + data.length);
  new DataView(bytes.buffer).setUint32(0, data.length, true);
  new DataView(bytes.buffer).setUint32(4, type, true);
  bytes.set(data, 8);
  return bytes;
};

describe('GLB', () => {
  test('what is written can be taken apart again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.uint8Array(), fc.boolean(), (json, data, more) => {
        const text = utf8(JSON.stringify({ json }));
        const rest = more ? chunk(0x12345678, new Uint8Array([1, 2, 3, 4])) : new Uint8Array(0);
        const glb = writeGlb(text, data, rest);
        expect(glb.length % 4).toBe(0);
        const parts = parseGlb(glb);
        expect(parts.text).toEqual(text);
        expect(parts.bin?.subarray(0, data.length) ?? new Uint8Array(0)).toEqual(data);
        expect((parts.bin?.length ?? 0) - data.length).toBeLessThan(4);
        expect(parts.rest).toEqual(rest);
      }),
    );
  });

  test('a header, a length or an order that is wrong is named by its byte', () => {
    const glb = writeGlb(utf8('{"asset":{"version":"2.0"}}'), new Uint8Array(4));
    const changed = (at: number, value: number): Uint8Array => {
      const copy = glb.slice();
      new DataView(copy.buffer).setUint32(at, value, true);
      return copy;
    };
    expect(() => parseGlb(changed(0, 1))).toThrow('byte 0');
    expect(() => parseGlb(changed(4, 1))).toThrow('byte 4: GLB version 1, expected 2');
    expect(() => parseGlb(changed(8, 1e9))).toThrow('byte 8');
    expect(() => parseGlb(changed(12, 4294967292))).toThrow('byte 12');
    expect(() => parseGlb(changed(16, 0x004e4942))).toThrow('byte 16');
    expect(() => parseGlb(changed(48, 4294967295))).toThrow('byte 48');
  });
});

describe('data URIs', () => {
  test('bytes come back, of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeDataUri(encodeDataUri(bytes, 'a/b'), '')).toEqual(bytes);
      }),
    );
    const long = Uint8Array.from({ length: 100_001 }, (_, i) => i * 7);
    expect(encodeDataUri(long, 'a/b')).toBe(`data:a/b;base64,${Buffer.from(long).toString('base64')}`);
  });

  test('other spellings are read, broken ones refused', () => {
    expect([...decodeDataUri('DATA:;BASE64,AQI%3D', '')]).toEqual([1, 2]);
    expect([...decodeDataUri('data:,a%20b', '')]).toEqual([97, 32, 98]);
    expect([...decodeDataUri('data:,%80%FF', '')]).toEqual([128, 255]);
    for (const broken of ['data:', 'data:;base64,@', 'data:;base64,A', 'data:,%', 'data:,%zz'])
      expect(() => decodeDataUri(broken, '/buffers/0/uri')).toThrow('/buffers/0/uri: a data URI');
  });
});

describe('JSON text that is changed in place', () => {
  const rewrite = (text: string, change: (json: Json) => void): string => {
    const after = JSON.parse(text) as Json;
    change(after);
    return rewriteJson(text, JSON.parse(text), after);
  };

  test('what is not changed keeps its characters', () => {
    const text =
      '\uFEFF {\n  "b" : 1.0, "2": [1e-7,\t9007199254740993], "1": {"x":"\\u00e9\\"}"},\n  "list": [ {"a": 0.10} , {"a":2} ]\n}\n ';
    expect(rewriteJson(text, JSON.parse(text.trim()), JSON.parse(text.trim()))).toBe(text);
    expect(
      rewrite(text.trim(), (json) => {
        json['list'][1].a = 3;
        json['list'].push({ b: [] });
        json['added'] = null;
      }),
    ).toBe(text.trim().replace('{"a":2} ]', '{"a":3},{"b":[]} ]').replace(' ]\n}', ' ],"added":null\n}'));
  });

  test('members can go, empty lists can be filled', () => {
    expect(rewrite('{"a": 1.0, "b": 2.0, "c": 3.0}', (json) => void delete json['b'])).toBe(
      '{"a":1.0,"c":3.0}',
    );
    expect(rewrite('{"a": [ ], "o": { }}', (json) => void (json['a'].push(1), (json['o'].x = 2)))).toBe(
      '{"a": [1], "o": {"x":2}}',
    );
    expect(rewrite('{"a":{"x":1,"x":2}}', (json) => void (json['a'].y = 3))).toBe('{"a":{"x":2,"y":3}}');
  });

  test('whatever is changed, the text parses to the new value and costs nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.nat(3), (before, after, indent) => {
        const text = JSON.stringify(before, null, indent);
        expect(JSON.parse(rewriteJson(text, JSON.parse(text), after))).toEqual(
          JSON.parse(JSON.stringify(after)),
        );
        expect(rewriteJson(text, JSON.parse(text), JSON.parse(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
