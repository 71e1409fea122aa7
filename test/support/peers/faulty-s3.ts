/**
 * A proxy in front of an S3 server that delays, rejects or truncates responses or is unreachable, as a test requires.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { S3Settings } from '#server/files/s3/s3-client.ts';
import { listen, type Peer } from './peer.ts';

export interface FaultyS3Peer extends Peer {
  settings: S3Settings;
  /** Delay before a call is forwarded, in milliseconds. */
  delay: number;
  /** Percentage of calls answered with 503 SlowDown. */
  refused: number;
  /** Number of further file responses to truncate. */
  torn: number;
  /** True to close connections without a response. */
  isAway: boolean;
  /** Number of calls affected by one of these faults. */
  faults: number;
}

const SLOW_DOWN =
  '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

export async function startFaultyS3Peer(behind: S3Settings): Promise<FaultyS3Peer> {
  const target = new URL(behind.endpoint);
  let calls = 0;
  const server = createServer((call, answer) => {
    calls += 1;
    if (faulty.isAway) {
      faulty.faults += 1;
      call.socket.destroy();
    } else if (calls % 100 < faulty.refused) {
      faulty.faults += 1;
      call.resume();
      answer.writeHead(503, { 'content-type': 'application/xml' }).end(SLOW_DOWN);
    } else if (faulty.delay > 0) {
      faulty.faults += 1;
      setTimeout(() => passOn(call, answer), faulty.delay);
    } else passOn(call, answer);
  });

  function passOn(call: IncomingMessage, answer: ServerResponse): void {
    const { method, url: path, headers } = call;
    const passed = request({ host: target.hostname, port: target.port, method, path, headers }, (given) => {
      answer.writeHead(given.statusCode!, given.headers);
      const isFile = method === 'GET' && given.statusCode === 200 && !path?.includes('list-type');
      if (faulty.torn > 0 && isFile) {
        faulty.torn -= 1;
        faulty.faults += 1;
        given.once('data', (chunk: Buffer) => {
          answer.write(chunk.subarray(0, chunk.length / 2));
          setTimeout(() => call.socket.destroy(), 20);
        });
      } else given.pipe(answer);
    });
    passed.on('error', () => call.socket.destroy());
    call.pipe(passed);
  }

  const { port, stop } = await listen(server);
  const url = `http://127.0.0.1:${port}`;
  const faulty: FaultyS3Peer = {
    url,
    settings: { ...behind, endpoint: url },
    delay: 0,
    refused: 0,
    torn: 0,
    isAway: false,
    faults: 0,
    stop,
  };
  return faulty;
}
