/**
 * Receives the code of a browser sign-in: listens only on this computer, for a single request. Source: RFC 8252,
 * section 7.3.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameText } from './handoff-request.ts';

export interface LoopbackOptions {
  /** The state that must accompany the code. */
  state: string;
  /** Accepts the code; returns the address to redirect the browser to. */
  onCode(code: string): Promise<string>;
}

export interface Loopback {
  port: number;
  close(): void;
}

/** Accepts only the request of a browser that is redirected by the portal's page. */
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

/**
 * Returns null for any other request, for example from pages that scan ports, or with a host name that resolves to
 * 127.0.0.1.
 */
function codeOf({ method, url = '/', headers }: IncomingMessage, port: number, state: string): string | null {
  if (method !== 'GET' || headers.host !== `127.0.0.1:${port}` || headers.origin !== undefined) return null;
  // Accepts only navigations of a top-level window, not fetches, frames or images of a page.
  if ((headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate') return null;
  if ((headers['sec-fetch-dest'] ?? 'document') !== 'document') return null;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const code = searchParams.get('code');
  const isOurs = pathname === '/' && isSameText(searchParams.get('state') ?? '', state);
  return isOurs && code !== null && code !== '' && code.length <= 100 ? code : null;
}
