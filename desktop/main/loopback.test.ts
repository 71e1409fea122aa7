import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { rounds } from '#test/support/test-set.ts';
import { listenForCode, type Loopback } from './loopback.ts';

const opened: Loopback[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.close()));

async function listen(codes: string[] = []): Promise<number> {
  const loopback = await listenForCode({
    state: 'the-state',
    onCode: async (code) => {
      codes.push(code);
      return 'https://portal.example.org/?c=desktop&result=success';
    },
  });
  opened.push(loopback);
  return loopback.port;
}

/** Returns status and Location; 0 if nothing listens. */
async function ask(port: number, path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  const sent = request({ host: '127.0.0.1', port, path, ...options }).end();
  const answer = await once(sent, 'response').catch(() => null);
  if (!answer) return [0, undefined];
  const [{ statusCode, headers }] = answer as [IncomingMessage];
  return [statusCode, headers.location];
}

test('takes one code, leads the browser back to the portal, and stops listening', async () => {
  const codes: string[] = [];
  const port = await listen(codes);
  expect(await ask(port, '/?code=abc&state=the-state')).toEqual([
    303,
    'https://portal.example.org/?c=desktop&result=success',
  ]);
  expect((await ask(port, '/?code=def&state=the-state'))[0]).toBe(0);
  expect(codes).toEqual(['abc']);
});

test.each([
  ['another state', '/?code=abc&state=the-statf', {}],
  ['no state', '/?code=abc', {}],
  ['no code', '/?state=the-state', {}],
  ['a code that is none', `/?code=${'x'.repeat(101)}&state=the-state`, {}],
  ['another path', '/x?code=abc&state=the-state', {}],
  ['another method', '/?code=abc&state=the-state', { method: 'POST' }],
  ['a name that leads here', '/?code=abc&state=the-state', { headers: { host: 'evil.example.org' } }],
  ['a page that fetches it', '/?code=abc&state=the-state', { headers: { 'sec-fetch-mode': 'no-cors' } }],
  [
    'a page that frames it',
    '/?code=abc&state=the-state',
    { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' } },
  ],
  ['a page that calls', '/?code=abc&state=the-state', { headers: { origin: 'https://evil.example.org' } }],
])('a request with %s gets nothing, and the right one after it does', async (_what, path, options) => {
  const codes: string[] = [];
  const port = await listen(codes);
  expect(await ask(port, path, options)).toEqual([404, undefined]);
  expect(codes).toEqual([]);
  expect((await ask(port, '/?code=abc&state=the-state'))[0]).toBe(303);
});

test('what is no request at all does it no harm', async () => {
  const port = await listen();
  for (const garbage of [
    '\0\0\0',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
    'GET http://[ HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  ]) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.end(garbage);
    await once(socket.resume(), 'close');
  }
  expect((await ask(port, '/?code=abc&state=the-state'))[0]).toBe(303);
});

test('random requests never bring a code', async () => {
  const codes: string[] = [];
  const port = await listen(codes);
  const query = fc.webQueryParameters();
  const line = fc.oneof(
    query.map((text) => `GET /?${text} HTTP/1.1`),
    query.map((text) => `GET /?code=abc&state=the-statf&${text} HTTP/1.1`),
    fc.string({ maxLength: 300 }),
  );
  const header = fc.oneof(
    fc.constantFrom(
      `host: 127.0.0.1:${port}`,
      'content-length: 5',
      'transfer-encoding: chunked',
      'expect: 100-continue',
    ),
    fc.string({ maxLength: 300 }),
  );
  const message = fc
    .tuple(line, fc.array(header, { maxLength: 8 }), fc.uint8Array({ maxLength: 500 }))
    .map(([first, headers, body]) => Buffer.concat([Buffer.from(`${[first, ...headers].join('\r\n')}\r\n\r\n`), body]));
  await fc.assert(
    fc.asyncProperty(message, async (bytes) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.end(bytes);
      await once(socket.resume(), 'close');
    }),
    { numRuns: rounds(100, 300) },
  );
  expect(codes).toEqual([]);
  expect((await ask(port, '/?code=abc&state=the-state'))[0]).toBe(303);
});
