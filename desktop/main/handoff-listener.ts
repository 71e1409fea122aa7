/**
 * Listens for session handoff requests from programs of the same user on this computer. Callers that cannot prove that
 * they have read the file learn nothing, not even which program listens.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Value } from 'typebox/value';
import {
  answerProof,
  HANDOFF_PATH,
  HandoffRequest,
  isSameText,
  PROOF_HEADER,
  requestProof,
  type HandoffAnswer,
  type HandoffEndpoint,
} from './handoff-request.ts';
import { say } from './language.ts';

export interface HandoffListener {
  /** Content of the file. */
  endpoint: HandoffEndpoint;
  close(): void;
}

/** Maximum size in bytes; a valid request has a few hundred. */
const LARGEST_BODY = 4096;

/** @param show asks the user, and returns immediately whether they are being asked */
export async function listenForHandoffs(
  show: (request: HandoffRequest) => Promise<HandoffAnswer>,
): Promise<HandoffListener> {
  const secret = randomBytes(32).toString('base64url');
  let port = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = isProgram(request, port) ? await readBody(request) : null;
    if (body === null || !isSameText(headerOf(request), requestProof(secret, body))) {
      request.resume();
      response.writeHead(404, { 'cache-control': 'no-store', connection: 'close' }).end();
      return;
    }
    const asked = parse(body);
    const answer = asked ? await show(asked) : { Shown: false, Message: say('The request is not valid') };
    const text = JSON.stringify(answer);
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      connection: 'close',
      [PROOF_HEADER]: answerProof(secret, asked?.State ?? '', text),
    };
    response.writeHead(asked ? 200 : 400, headers).end(text);
  };
  const server = createServer({ maxHeaderSize: 8192, requestTimeout: 10_000, headersTimeout: 10_000 });
  server.maxConnections = 20;
  server.on('request', (request, response) => void handle(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  return {
    endpoint: { version: 1, port, pid: process.pid, secret },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Excludes web pages: browsers add Origin or Sec-Fetch-Site to every POST of a page, and a host name that resolves to
 * this address is not accepted.
 */
function isProgram({ method, url, headers }: IncomingMessage, port: number): boolean {
  const isOfBrowser = Object.keys(headers).some((name) => name === 'origin' || name.startsWith('sec-fetch-'));
  return method === 'POST' && url === HANDOFF_PATH && headers.host === `127.0.0.1:${port}` && !isOfBrowser;
}

const headerOf = ({ headers }: IncomingMessage): string => String(headers[PROOF_HEADER] ?? '');

/** Returns null if the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(body: string): HandoffRequest | null {
  try {
    const content: unknown = JSON.parse(body);
    return Value.Check(HandoffRequest, content) ? content : null;
  } catch {
    return null;
  }
}
