/** Where the system's browser brings the code of a sign-in: a listener on this computer alone, for one request. Source: RFC 8252, section 7.3. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameText } from './hand-off-request.ts';

export interface LoopbackOptions {
  /** That the code has to come with. */
  state: string;
  /** Takes the code; answers where to lead the browser to. */
  onCode(code: string): Promise<string>;
}

export interface Loopback {
  port: number;
  close(): void;
}

/** Asks for a request of nothing but a browser that follows the portal's page. */
export async function listenForCode(options: LoopbackOptions): Promise<Loopback> {
  let isTaken = false;
  let port = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const code = isTaken ? null : codeOf(request, port, options.state);
    if (code === null) return refuse(response, request);
    isTaken = true;
    try {
      const location = await options.onCode(code);
      response.writeHead(303, { location, 'cache-control': 'no-store', connection: 'close' }).end();
    } finally {
      close();
    }
  };
  const server: Server = createServer({ maxHeaderSize: 8192, requestTimeout: 10_000, headersTimeout: 10_000 });
  server.maxConnections = 20;
  server.on('request', (request, response) => void handle(request, response).catch(() => response.destroy()));
  const close = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  return { port, close };
}

function refuse(response: ServerResponse, request: IncomingMessage): void {
  request.resume();
  response.writeHead(404, { 'cache-control': 'no-store', connection: 'close' }).end();
}

/** Null for any other request, such as those of pages that try ports, or of a name that leads to 127.0.0.1. */
function codeOf({ method, url = '/', headers }: IncomingMessage, port: number, state: string): string | null {
  if (method !== 'GET' || headers.host !== `127.0.0.1:${port}` || headers.origin !== undefined) return null;
  // What a browser shows in a window of its own, not what a page fetches, frames or loads as a picture.
  if ((headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate') return null;
  if ((headers['sec-fetch-dest'] ?? 'document') !== 'document') return null;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const code = searchParams.get('code');
  const isOurs = pathname === '/' && isSameText(searchParams.get('state') ?? '', state);
  return isOurs && code !== null && code !== '' && code.length <= 100 ? code : null;
}
