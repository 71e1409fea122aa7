/** Generates calls of a route that nearly match its schemas: valid ones, most of them with something broken. */
import type { Endpoint } from '#shared/contract/endpoint.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import { hostileString, hostileValue, RawJson, toJson } from './hostile-values.ts';
import { valueOf, type KnownValues } from './values-of-schema.ts';

export interface HostileCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

/** Parts for uploads: text fields with valid values, and files. */
export interface UploadParts {
  fields: Record<string, string>;
  files: readonly { name: string; content: Buffer }[];
}

export interface CallGenerator {
  callOf(endpoint: Endpoint, known: KnownValues, upload: UploadParts): HostileCall;
}

export function createCallGenerator(random: SeededRandom): CallGenerator {
  const chance = (percent: number): boolean => random.between(1, 100) <= percent;
  return {
    callOf(endpoint, known, upload) {
      const { method, path, transport, parts } = endpoint;
      const url = pathOf(path, parts.params, random, known) + queryOf(parts.query, random, known);
      if (method === 'GET') return { method, url, headers: {} };
      if (transport === 'multipart' && !chance(5)) return { method, url, ...multipartBody(upload, random) };
      const valid = parts.body ? valueOf(parts.body, '', random, known) : random.pick([null, {}]);
      const body = chance(12) ? valid : broken(valid, random);
      if (transport === 'form' && !chance(10)) return { method, url, ...formBody(body, random) };
      return { method, url, ...jsonBody(body, random) };
    },
  };
}

type Body = Pick<HostileCall, 'headers' | 'payload'>;

interface ObjectSchema {
  properties?: Record<string, object>;
}

function pathOf(path: string, params: object | undefined, random: SeededRandom, known: KnownValues): string {
  const schemas = (params as ObjectSchema | undefined)?.properties ?? {};
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (random.between(1, 100) <= 80)
      return encodeURIComponent(String(valueOf(schemas[name] ?? {}, name, random, known)));
    return random.pick([
      '%00',
      '%',
      '%E0%A4',
      '..%2f..%2f',
      '-1',
      '0',
      '1e3',
      '99999999999',
      '9007199254740993',
      encoded(random),
    ]);
  });
}

const encoded = (random: SeededRandom): string =>
  encodeURIComponent(hostileString(random).toWellFormed().slice(0, 3000));

function queryOf(query: object | undefined, random: SeededRandom, known: KnownValues): string {
  const schemas = Object.entries((query as ObjectSchema | undefined)?.properties ?? {});
  const pairs = schemas
    .filter(() => random.between(1, 100) <= 60)
    .map(([name, schema]) => {
      const good = random.between(1, 100) <= 60;
      return `${name}=${good ? encodeURIComponent(String(valueOf(schema, name, random, known))) : encoded(random)}`;
    });
  if (random.between(1, 100) <= 8) {
    pairs.push(
      random.pick(['__proto__=1', 'a[b]=c', 'x', '=', '%', '%00=%00', ...pairs, 'constructor[prototype][a]=1']),
    );
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Changes one to three things anywhere in the value. */
function broken(value: unknown, random: SeededRandom): unknown {
  let result = value;
  for (let times = random.pick([1, 1, 1, 2, 3]); times > 0; times -= 1) result = brokenOnce(result, random);
  return result;
}

function brokenOnce(value: unknown, random: SeededRandom): unknown {
  if (Array.isArray(value)) return brokenArray(value, random);
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return hostileValue(random);
  const entries = Object.entries(value);
  const name = entries.length === 0 ? '' : random.pick(entries)[0];
  switch (random.between(1, 12)) {
    case 1:
      return hostileValue(random);
    case 2:
      return Object.fromEntries(entries.filter(([other]) => other !== name));
    case 3:
      return Object.fromEntries([...entries, [hostileString(random), hostileValue(random)]]);
    case 4:
      return new RawJson(toJson(value).replace(/^\{/, `{${JSON.stringify(name)}:null,"__proto__":{"a":1},`));
    default:
      return Object.fromEntries(
        entries.map(([other, item]) => [other, other === name ? brokenOnce(item, random) : item]),
      );
  }
}

function brokenArray(value: unknown[], random: SeededRandom): unknown {
  switch (random.between(1, 8)) {
    case 1:
      return hostileValue(random);
    case 2:
      return [...value, hostileValue(random)];
    case 3:
      return value.length > 100 ? [] : Array.from({ length: 500 }, () => value).flat();
    case 4:
      return [];
    default: {
      const at = random.between(0, value.length);
      return value.length === 0
        ? [hostileValue(random)]
        : value.map((item, index) => (index === at ? brokenOnce(item, random) : item));
    }
  }
}

const TYPES = [
  'text/plain',
  'text/plain;charset=utf-16',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-7',
  'application/JSON;;;',
  '__proto__',
  '',
  '/',
];

function jsonBody(body: unknown, random: SeededRandom): Body {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const text = toJson(body);
  switch (random.between(1, 40)) {
    case 1:
      return { headers: { 'content-type': random.pick(TYPES) }, payload: text };
    case 2:
      return { headers: {}, payload: text };
    case 3:
      return { headers, payload: text.slice(0, random.between(0, text.length)) };
    case 4:
      return { headers, payload: `\ufeff${text}` };
    case 5:
      return { headers, payload: `${text}${random.pick([',', '}', '\u0000', '[]', ' // x'])}` };
    case 6:
      return { headers, payload: Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22]) };
    case 7:
      return {
        headers: { ...headers, 'content-encoding': random.pick(['gzip', 'br', 'identity', 'x']) },
        payload: text,
      };
    case 8:
      return {
        headers,
        payload: random.pick(['', ' ', 'NaN', 'undefined', "{'a':1}", '{"a":1,}', '"\\ud800"', '1e9999']),
      };
    default:
      return { headers, payload: text };
  }
}

function formBody(body: unknown, random: SeededRandom): Body {
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : [];
  const pairs = fields.map(([name, value]) => `${textOf(name)}=${textOf(value)}`);
  const extra = random.pick(['', '&__proto__=x', '&%00=%00', '&a[b]=c', '&', '&%E0%A4=%', `&${pairs[0] ?? ''}`]);
  const type = random.pick(['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded', ...TYPES]);
  return { headers: { 'content-type': type }, payload: pairs.join('&') + extra };
}

const textOf = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : toJson(value)).toWellFormed());

function multipartBody({ fields, files }: UploadParts, random: SeededRandom): Body {
  const boundary = random.pick(['x', '----abc', '-'.repeat(70)]);
  const chosen = Object.entries(fields)
    .filter(() => random.between(1, 100) <= 92)
    .map(([name, value]) => [name, random.between(1, 100) <= 80 ? value : brokenField(random)] as const);
  if (random.between(1, 100) <= 12) chosen.push([hostileString(random), brokenField(random)]);
  const parts = chosen.map(([name, value]) =>
    part(boundary, `name="${name.replaceAll(/[\r\n"]/g, '_')}"`, Buffer.from(value)),
  );
  for (let count = random.pick([0, 1, 1, 1, 2]); count > 0; count -= 1) {
    const { name, content } = random.pick(files);
    const fileName =
      random.between(1, 100) <= 70
        ? name
        : hostileString(random)
            .replaceAll(/[\r\n"]/g, '_')
            .slice(0, 400);
    parts.push(part(boundary, `name="file"; filename="${fileName}"`, content));
  }
  const whole = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${random.between(1, 100) <= 92 ? boundary : 'other'}` },
    payload: random.between(1, 100) <= 85 ? whole : whole.subarray(0, random.between(0, whole.length)),
  };
}

const part = (boundary: string, disposition: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);

const brokenField = (random: SeededRandom): string => {
  const value = hostileValue(random);
  return typeof value === 'string' ? value : toJson(value);
};
