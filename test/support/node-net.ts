/** The network interface of the desktop client, implemented with Node.js. */
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { StreamedAnswer, Net, StreamingNet } from '#main/ports.ts';

/** Wraps a function with the signature of fetch. */
export const streamingNet = (fetch: Net['fetch']): StreamingNet => ({
  fetch,
  stream: async (url, init) => streamedOf(await fetch(url, init)),
});

const streamedOf = ({ status, statusText, headers, body }: Response): StreamedAnswer => ({
  status,
  statusText,
  headers: Object.fromEntries(headers),
  content: body ? Readable.fromWeb(body as WebStream<Uint8Array>) : Readable.from([]),
});
