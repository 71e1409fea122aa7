import type { FastifyRequest } from 'fastify';
import type { FileStore } from '#server/files/file-store.ts';
import { AppError } from '#server/base/app-error.ts';
import { hasNul, NUL_REFUSED } from '#shared/rules/storable-text.ts';
import { HEAD_BYTES } from '#server/files/file-content.ts';
import { sentFileName } from '#server/files/file-name.ts';
import { discardFiles, type ReceivedFile } from '#server/files/received-file.ts';

interface ReceivedPart extends ReceivedFile {
  /** The first bytes, at most HEAD_BYTES. */
  head: Buffer;
}

export interface MultipartForm {
  fields: Record<string, string>;
  files: ReceivedPart[];
}

/**
 * Reads a multipart body as it arrives: fields as text, files directly into the store. Calls `maxBytes` before each
 * file with the fields received so far. If a file is larger, throws the AppError from `tooLarge`, but only after
 * reading the rest of the body. This way the client gets the response instead of a broken connection. If it throws, all
 * stored files are deleted.
 */
export async function readMultipart(
  request: FastifyRequest,
  store: FileStore,
  maxBytes: (fields: Readonly<Record<string, string>>) => number | Promise<number>,
  tooLarge: (maxBytes: number) => AppError,
): Promise<MultipartForm> {
  const form: MultipartForm = { fields: {}, files: [] };
  try {
    if (!request.isMultipart()) throw new AppError('notMultipart', 415, 'The request must be multipart/form-data');
    let refused: AppError | undefined;
    // upTo() counts the size and discards what is too large. A limit of the parser would abort the request instead.
    for await (const part of request.parts({ limits: { fileSize: Number.MAX_SAFE_INTEGER } })) {
      if (hasNul(part.fieldname) || (part.type === 'field' && hasNul(part.value))) {
        throw new AppError('invalid_request', 400, NUL_REFUSED);
      }
      if (part.type === 'field') {
        form.fields[part.fieldname] = String(part.value);
        continue;
      }
      const stop = (): void => void request.raw.destroy();
      refused ??= await takeFile(part, form, { store, maxBytes, tooLarge, stop });
      part.file.resume();
    }
    if (refused) throw refused;
    return form;
  } catch (error) {
    await discardFiles(store, form.files);
    throw isCutOff(error) ? new AppError('invalid_request', 400, CUT_OFF, { cause: error }) : error;
  }
}

const CUT_OFF = 'The request is incomplete: its last part is cut off';

/** The parser reports a body that ends too early, or without its boundary, only by its message. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && /unexpected end of multipart data|boundary not found/i.test(error.message);
}

interface FilePart {
  filename: string;
  file: AsyncIterable<Uint8Array>;
}

interface Taking {
  store: FileStore;
  maxBytes: (fields: Readonly<Record<string, string>>) => number | Promise<number>;
  tooLarge: (maxBytes: number) => AppError;
  /** Closes the connection. */
  stop: () => void;
}

/** Returns the error if the file was not accepted. */
async function takeFile(
  { filename, file }: FilePart,
  form: MultipartForm,
  { store, maxBytes, tooLarge, stop }: Taking,
): Promise<AppError | undefined> {
  try {
    const limit = await maxBytes(form.fields);
    const counted = upTo(file, limit, stop);
    const stored = await store.put(counted.chunks);
    form.files.push({ FileName: sentFileName(filename), stored, head: counted.head() });
    return counted.exceeded() ? tooLarge(limit) : undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** If a body exceeds the limit by more than this, the connection is closed without a response. */
const MAX_DISCARDED_BYTES = 256 * 1024 * 1024;

/** Yields the chunks within the limit and discards the rest. */
function upTo(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  stop: () => void,
): { chunks: AsyncIterable<Uint8Array>; exceeded(): boolean; head(): Buffer } {
  let size = 0;
  let head = Buffer.alloc(0);
  async function* fitting(): AsyncIterable<Uint8Array> {
    for await (const chunk of chunks) {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      size += chunk.byteLength;
      if (size <= limit) yield chunk;
      else if (size > limit + MAX_DISCARDED_BYTES) stop();
    }
  }
  return { chunks: fitting(), exceeded: () => size > limit, head: () => head };
}
