import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, publicAccess } from '#shared/contract/endpoint.ts';
import { serveEndpoints, type EndpointServer } from '#test/support/http-endpoints.ts';
import { registerPublicEndpoint } from './register-endpoint.ts';

const path = '/api/written';
const written = get(path, { access: publicAccess, summary: 'x', parts: { result: Type.String() } });

let served: EndpointServer;
let arrived: (response: ServerResponse) => void;
let answered: () => void;
let app: Awaited<ReturnType<EndpointServer['createServer']>>;

beforeAll(async () => {
  served = await serveEndpoints();
  app = await served.createServer();
  app.addHook('onSend', async (_request, _reply, payload) => {
    // The client is gone by now; the server reports that in the following event loop turns.
    await setImmediate();
    answered();
    return payload;
  });
  registerPublicEndpoint(app, written, async ({ reply }) => {
    arrived(reply.raw);
    await once(reply.raw, 'close');
    return reply.type('application/json').send('{"result":"late"}') as never;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await served.close();
});

test('a client that goes away before it has its answer is no fault of the server', async () => {
  const response = new Promise<ServerResponse>((resolve) => (arrived = resolve));
  const sent = new Promise<void>((resolve) => (answered = resolve));
  const before = served.logged.length;
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
  const raw = await response;
  socket.destroy();
  if (!raw.destroyed) await once(raw, 'close');
  await sent;
  for (let round = 0; round < 10; round += 1) await setImmediate();
  expect(served.logged.slice(before).filter((line) => /unexpected|already sent/.test(JSON.stringify(line)))).toEqual(
    [],
  );
});
