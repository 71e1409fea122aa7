/** Passes calls on to libraries that know the Request and Response of the web platform instead of Fastify. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Without the body, which Fastify has parsed, and without the caller's secret. */
export function webRequest({ method, headers, url }: FastifyRequest, signal: AbortSignal): Request {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !UNPASSED.includes(name)) passed.set(name, [value].flat().join(', '));
  }
  return new Request(new URL(url, 'http://portal.invalid'), { method, headers: passed, signal });
}

const UNPASSED = ['authorization', 'cookie', 'connection', 'content-length', 'transfer-encoding'];

/** Sends a response as it is; a stream is sent while it is written. */
export async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  void reply.code(response.status).headers(Object.fromEntries(response.headers));
  if (response.body === null) return reply.send();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(await response.text());
  // Proxies must forward each event immediately. A keep-alive connection would delay a stop.
  void reply.headers({ 'x-accel-buffering': 'no', connection: 'close' });
  return reply.send(Readable.fromWeb(response.body as ReadableStream));
}
