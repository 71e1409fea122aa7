import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import './fastify-types.ts';

/** Smaller responses are a single packet either way. */
const SMALLEST = 1024;
/** Out of 11: about as fast as gzip's default level, and a fifth smaller. */
const BROTLI_QUALITY = 4;
/** Compressing up to this many bytes takes about 0.15 ms, no longer than passing them to another thread and back. */
const MAX_SYNC_BYTES = 16_384;

type Coding = 'br' | 'gzip';

/**
 * Compresses pages, and the JSON responses to calls with a token in their header. Other responses are not compressed.
 * For responses that anybody can trigger, including those that issue tokens, the length could reveal a secret next to
 * text that an attacker chose (docs/decisions/0002-http-and-compression.md). Files and streams are not
 * compressed either; each event of a stream must be sent immediately.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const isBuffered = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isBuffered || payload.length < SMALLEST || !mayCompress(request, reply)) return payload;
    void reply.header('vary', 'Accept-Encoding');
    const coding = acceptedCoding(request.headers['accept-encoding']);
    if (coding === null) return payload;
    void reply.header('content-encoding', coding).removeHeader('content-length');
    return typeof payload === 'string' ? compress(Buffer.from(payload), coding) : compressOnce(payload, coding);
  });
}

function mayCompress(request: FastifyRequest, reply: FastifyReply): boolean {
  if (reply.hasHeader('content-encoding') || request.method === 'HEAD') return false;
  const type = String(reply.getHeader('content-type') ?? '');
  // The same page for everybody: it contains no input of the call.
  if (type.startsWith('text/html')) return reply.statusCode === 200;
  const { access, transport } = request.routeOptions.config;
  const needsToken = access !== undefined && access.kind !== 'public' && access.kind !== 'token';
  return type.startsWith('application/json') && transport === 'json' && needsToken;
}

/** Returns the better of the codings that the client accepts; null for none. Source: RFC 9110, section 12.5.3. */
export function acceptedCoding(header: string | string[] | undefined): Coding | null {
  const taken = new Map<string, number>();
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='));
    taken.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const takes = (coding: Coding): boolean => (taken.get(coding) ?? taken.get('*') ?? 0) > 0;
  return (['br', 'gzip'] as const).find(takes) ?? null;
}

const compressedBuffers: Record<Coding, WeakMap<Buffer, Promise<Buffer>>> = { br: new WeakMap(), gzip: new WeakMap() };

/**
 * A service that returns a buffer may return the same one again, like the list of activities: it is compressed once.
 */
function compressOnce(content: Buffer, coding: Coding): Promise<Buffer> {
  const known = compressedBuffers[coding].get(content) ?? compress(content, coding);
  compressedBuffers[coding].set(content, known);
  return known;
}

const inThread = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Longer content is compressed in one of Node's own threads: only this response waits for it. */
async function compress(content: Buffer, coding: Coding): Promise<Buffer> {
  const isShort = content.length <= MAX_SYNC_BYTES;
  if (coding === 'gzip') return isShort ? gzipSync(content) : inThread.gzip(content);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return isShort ? brotliCompressSync(content, { params }) : inThread.br(content, { params });
}
