/** The listener for programs that request a session: who is accepted, and that invalid input does no harm. */
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/handoff-bench.ts';
import { rounds } from '#test/support/test-set.ts';
import { listenForHandoffs } from './handoff-listener.ts';
import { HANDOFF_FILE, requestProof } from './handoff-request.ts';

const right = JSON.stringify({
  Portal: 'https://portal.example.org',
  ClientKind: 'excel',
  Port: 49_152,
  Challenge: 'c'.repeat(43),
  State: 's'.repeat(22),
});
const shown = [200, '{"Shown":true,"Message":""}'];

interface Asking {
  body?: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Returns the status and the body of the response. */
const test = base.extend('ask', async ({ desktopClient }) => {
  await desktopClient.begin('https://portal.example.org/');
  return async ({ body = right, path = '/handoff', method = 'POST', headers = {} }: Asking = {}) => {
    const { port, secret } = desktopClient.listener.endpoint;
    const all = { 'x-runsheet-proof': requestProof(secret, body), ...headers };
    const call = request({ host: '127.0.0.1', port, path, method, headers: all }).end(body);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return [response.statusCode, await text(response)];
  };
});

describe('the listener', () => {
  test('is on this computer alone, by a file that the person alone reads, with a secret of each start', async ({
    desktopClient,
    ask,
  }) => {
    const { mode } = await stat(join(desktopClient.folder, HANDOFF_FILE));
    expect(mode & 0o777).toBe(0o600);
    const second = await listenForHandoffs((one) => desktopClient.sessionHandoffs.show(one));
    second.close();
    expect(second.endpoint.secret).not.toBe(desktopClient.listener.endpoint.secret);
    expect(Buffer.from(second.endpoint.secret, 'base64url')).toHaveLength(32);
    expect(await ask()).toEqual(shown);
  });

  test.for<[string, Asking]>([
    ['of a page', { headers: { origin: 'https://evil.example.org' } }],
    ['of a page without a name', { headers: { origin: 'null' } }],
    ['that a browser sent', { headers: { 'sec-fetch-site': 'none' } }],
    ['of a navigation', { headers: { 'sec-fetch-mode': 'navigate' } }],
    ['to a name that leads here', { headers: { host: 'evil.example.org' } }],
    ['to localhost', { headers: { host: 'localhost' } }],
    ['by another method', { method: 'PUT' }],
    ['to another path', { path: '/handoff?x' }],
    ['without a proof', { headers: { 'x-runsheet-proof': '' } }],
    ['with another proof', { headers: { 'x-runsheet-proof': requestProof('guess', right) } }],
    ['that is too large', { body: ' '.repeat(5000) + right }],
  ])('says nothing to a request %s', async ([, asking], { desktopClient, ask }) => {
    expect(await ask(asking)).toEqual([404, '']);
    expect(desktopClient.asked).toEqual([]);
    expect(await ask()).toEqual(shown);
  });

  test.for<[string, string]>([
    ['no JSON', '{'],
    ['a field too many', right.replace('{', '{"Token":"x",')],
    ['a port of the system', right.replace('49152', '22')],
    ['a kind with a port in it', right.replace('excel', 'excel:80')],
    ['a state that can be guessed', right.replace('s'.repeat(22), 'short')],
  ])('refuses %s of a program that may ask', async ([, body], { desktopClient, ask }) => {
    expect(await ask({ body })).toEqual([400, expect.stringContaining('is not valid')]);
    expect(desktopClient.asked).toEqual([]);
  });

  test('is harmed by nothing that is sent to it', async ({ desktopClient, ask }) => {
    const { port } = desktopClient.listener.endpoint;
    const line = fc.oneof(
      fc.constantFrom('POST /handoff HTTP/1.1', 'GET / HTTP/1.1', 'POST /handoff HTTP/0.9', 'PRI * HTTP/2.0'),
      fc.string({ maxLength: 200 }),
    );
    const header = fc.oneof(
      fc.constantFrom(
        `host: 127.0.0.1:${port}`,
        'content-length: 10',
        'content-length: -1',
        'transfer-encoding: chunked',
        'x-runsheet-proof: x',
        'expect: 100-continue',
        'connection: upgrade',
        'upgrade: websocket',
      ),
      fc.string({ maxLength: 300 }),
    );
    const message = fc
      .tuple(line, fc.array(header, { maxLength: 8 }), fc.uint8Array({ maxLength: 6000 }))
      .map(([first, headers, body]) =>
        Buffer.concat([Buffer.from(`${[first, ...headers].join('\r\n')}\r\n\r\n`), body]),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          message,
          fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
        ),
        async (bytes) => {
          const socket = connect(port, '127.0.0.1').on('error', () => undefined);
          socket.end(bytes);
          await once(socket.resume(), 'close');
          expect(desktopClient.asked).toEqual([]);
        },
      ),
      { numRuns: rounds(100, 400) },
    );
    expect(await ask()).toEqual(shown);
  });
});
