import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveEndpoints, type EndpointServer } from '#test/support/http-endpoints.ts';

let served: EndpointServer;
beforeAll(async () => {
  served = await serveEndpoints();
  await served.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => served.close());

async function send(path: string, ...headers: string[]): Promise<string> {
  const socket = connect((served.app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write([`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

// Source: RFC 9112, section 3.2.
test.each(['/api/item', '/', '/assets/app-1a2b.js', '/api/none'])(
  'a request for %s that names two hosts is refused, whatever they are',
  async (path) => {
    expect(await send(path, 'Host: here', 'Host: elsewhere')).toMatch(/^HTTP\/1\.1 400 [^]*more than one Host header/);
    expect(await send(path, 'Host: here', 'host: here')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await send(path, 'Host: here')).not.toMatch(/^HTTP\/1\.1 400 /);
  },
);
