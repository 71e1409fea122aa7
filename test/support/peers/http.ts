/** A real HTTP receiver: it stores requests and responds as a test requires. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen, type Peer } from './peer.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface HttpPeer extends Peer {
  received: Received[];
  /** A status, a status with a redirect location, or null for no response. */
  answer: number | { status: number; location: string } | null;
  /** Closes all connections, including those that wait for a response. */
  hangUp: () => void;
}

export async function startHttpPeer(): Promise<HttpPeer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      const { answer } = peer;
      if (answer === null) return;
      if (typeof answer === 'number') response.writeHead(answer).end(`answered ${answer}`);
      else response.writeHead(answer.status, { location: answer.location }).end();
    });
  });
  const { port, hangUp, stop } = await listen(server);
  const peer: HttpPeer = { url: `http://127.0.0.1:${port}`, received, answer: 200, hangUp, stop };
  return peer;
}
