import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, publicAccess, signedIn } from '#shared/contract/endpoint.ts';
import { acceptedCoding } from './compress-answers.ts';
import { createHttpServer } from './http-server.ts';
import { registerEndpoint, registerPublicEndpoint } from './register-endpoint.ts';

const LONG = 'the same again and '.repeat(500);
const LISTED = Buffer.from(JSON.stringify({ result: LONG }));
const parts = { result: Type.String() };
const rows = get('/api/rows', { access: signedIn, summary: 'x', parts });
const buffer = get('/api/buffer', { access: signedIn, summary: 'x', parts });
const short = get('/api/short', { access: signedIn, summary: 'x', parts });
const open = get('/api/open', { access: publicAccess, summary: 'x', parts });
const stream = get('/api/stream', { access: signedIn, summary: 'x', transport: 'file', parts: {} });

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-compressed-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), `<head></head><body>${LONG}</body>`);
  for (const [ending, text] of [
    ['', 'plain'],
    ['.br', 'small'],
    ['.gz', 'middle'],
  ])
    await writeFile(join(folder, `assets/app-1a2b.js${ending}`), text!);
  app = await createHttpServer({
    pageSettings: { title: 'Portal' },
    frameOrigins: [],
    log: pino({ level: 'silent' }),
    guard: { authenticate: async () => ({ UserId: 1, UserName: 'anna' }) as never, mayCall: async () => true },
    outageOf: () => null,
    version: '1.2.3',
    basePath: '/',
    trustedProxies: [],
    secure: false,
    maxUploadBytes: 1000,
    callsPerMinute: 10_000,
    rendererFolder: folder,
  });
  registerEndpoint(app, rows, () => LONG);
  registerEndpoint(app, buffer, ({ reply }) => reply.type('application/json').send(LISTED) as never);
  registerEndpoint(app, short, () => 'short');
  registerPublicEndpoint(app, open, () => LONG);
  registerEndpoint(app, stream, ({ reply }) =>
    reply.headers({ 'content-type': 'text/event-stream' }).send(Readable.from([LONG])),
  );
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const ask = async (url: string, coding = 'gzip, deflate, br') => {
  const { headers, rawPayload } = await app.inject({
    url,
    headers: { 'accept-encoding': coding, authorization: 'Bearer good' },
  });
  return { coding: headers['content-encoding'], vary: headers['vary'], bytes: rawPayload };
};

test('an answer that a service keeps as bytes is compressed as well, again and again', async () => {
  for (const coding of ['br', 'br', 'gzip']) {
    const answer = await ask('/api/buffer', coding);
    expect(answer.coding).toBe(coding);
    const text = coding === 'br' ? brotliDecompressSync(answer.bytes) : gunzipSync(answer.bytes);
    expect(text.equals(LISTED)).toBe(true);
  }
});

test('JSON answers to calls with a token are compressed as the client takes it', async () => {
  const answered = JSON.stringify({ result: LONG });
  const brotli = await ask('/api/rows');
  expect(brotli).toMatchObject({ coding: 'br', vary: 'Accept-Encoding' });
  expect(brotli.bytes.length).toBeLessThan(500);
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(answered);
  const gzipped = await ask('/api/rows', 'gzip, br;q=0');
  expect(gzipped.coding).toBe('gzip');
  expect(gunzipSync(gzipped.bytes).toString()).toBe(answered);
  const plain = await ask('/api/rows', 'identity');
  expect(plain).toMatchObject({ coding: undefined, vary: 'Accept-Encoding' });
  expect(plain.bytes.toString()).toBe(answered);
});

test('short answers, answers that anybody may cause, and streams stay as they are', async () => {
  for (const path of ['/api/short', '/api/open', '/api/stream']) expect((await ask(path)).coding).toBeUndefined();
});

test('pages are compressed', async () => {
  const page = await ask('/activities/');
  expect(page.coding).toBe('br');
  expect(brotliDecompressSync(page.bytes).toString()).toContain(LONG);
});

test('files of the build are handed out as it compressed them', async () => {
  for (const [coding, text, chosen] of [
    ['gzip, br', 'small', 'br'],
    ['gzip', 'middle', 'gzip'],
    ['identity', 'plain', undefined],
  ] as const) {
    const file = await ask('/assets/app-1a2b.js', coding);
    expect(file).toMatchObject({ coding: chosen, vary: expect.stringMatching(/accept-encoding/i) as string });
    expect(file.bytes.toString()).toBe(text);
  }
});

test('codings are chosen by what the header takes and refuses', () => {
  for (const [header, coding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', null],
    ['deflate', null],
    [undefined, null],
  ] as const)
    expect(acceptedCoding(header)).toBe(coding);
});
