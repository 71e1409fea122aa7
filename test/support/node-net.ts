/** The network of a program whose calls Node makes. */
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { BegunAnswer, Net, PassingNet } from '#main/ports.ts';

/** By a function that calls as fetch does. */
export const passingNet = (fetch: Net['fetch']): PassingNet => ({
  fetch,
  begin: async (url, init) => begunOf(await fetch(url, init)),
});

const begunOf = ({ status, statusText, headers, body }: Response): BegunAnswer => ({
  status,
  statusText,
  headers: Object.fromEntries(headers),
  content: body ? Readable.fromWeb(body as WebStream<Uint8Array>) : Readable.from([]),
});
