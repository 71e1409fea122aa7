/**
 * Uploads a file to an S3-compatible store: in one request if it is small, otherwise in parts, of which one at a time
 * is in memory.
 */
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3';
import { S3Error } from './s3-client.ts';

/** S3 accepts 10,000 parts of at least 5 MB each, so this supports files up to 78 GB. */
const PART_BYTES = 8 * 1024 * 1024;

export interface S3Target {
  client: S3Client;
  Bucket: string;
  Key: string;
  signal: AbortSignal | undefined;
}

/**
 * Stores chunks under the target's key. S3 shows an object only once it is complete. Every part is sent with its MD5,
 * which the store checks. If it throws, nothing stays.
 */
export async function upload(target: S3Target, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const parts = inParts(chunks);
  try {
    const first = await parts.next();
    const whole = first.value ?? new Uint8Array();
    if (whole.byteLength < PART_BYTES) await putWhole(target, whole);
    else await putInParts(target, whole, parts);
  } finally {
    // Releases the source if it was not read to its end.
    await parts.return(undefined);
  }
}

/** Splits the content into pieces of PART_BYTES; the last one is smaller, and the first one may be empty. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    while (bytes + rest.byteLength >= PART_BYTES) {
      const remaining = PART_BYTES - bytes;
      yield joined([...pending, rest.subarray(0, remaining)]);
      rest = rest.subarray(remaining);
      pending = [];
      bytes = 0;
    }
    if (rest.byteLength === 0) continue;
    pending.push(rest);
    bytes += rest.byteLength;
  }
  if (bytes > 0) yield joined(pending);
}

const joined = (chunks: Uint8Array[]): Uint8Array => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64');

async function putWhole({ client, signal, ...at }: S3Target, Body: Uint8Array): Promise<void> {
  try {
    const request = new PutObjectCommand({ ...at, Body, ContentLength: Body.byteLength, ContentMD5: md5(Body) });
    await client.send(request, { abortSignal: signal });
  } catch (error) {
    // The store may have it although its response did not arrive.
    await client.send(new DeleteObjectCommand(at)).catch(() => {});
    signal?.throwIfAborted();
    throw error;
  }
}

async function putInParts(target: S3Target, first: Uint8Array, rest: AsyncIterable<Uint8Array>): Promise<void> {
  const { client, signal, Bucket, Key } = target;
  const at = { Bucket, Key };
  const multipart = await client.send(new CreateMultipartUploadCommand(at), { abortSignal: signal });
  const UploadId = multipart.UploadId!;
  try {
    let bytes = first.byteLength;
    const Parts = [await putPart(target, UploadId, 1, first)];
    for await (const part of rest) {
      bytes += part.byteLength;
      Parts.push(await putPart(target, UploadId, Parts.length + 1, part));
    }
    await complete(target, UploadId, Parts, bytes);
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => {});
    signal?.throwIfAborted();
    throw error;
  }
}

async function putPart(
  { client, signal, Bucket, Key }: S3Target,
  UploadId: string,
  PartNumber: number,
  Body: Uint8Array,
): Promise<CompletedPart> {
  const ContentLength = Body.byteLength;
  const part = { Bucket, Key, UploadId, PartNumber, Body, ContentLength, ContentMD5: md5(Body) };
  const { ETag } = await client.send(new UploadPartCommand(part), { abortSignal: signal });
  return { ETag, PartNumber };
}

/** Combines the parts to one object, and checks that it is complete. */
async function complete(
  { client, signal, Bucket, Key }: S3Target,
  UploadId: string,
  Parts: CompletedPart[],
  bytes: number,
): Promise<void> {
  const request = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
  // If the response was lost, the request is sent again and then refused because it has already been done: only a check
  // shows whether it succeeded.
  const refusal: unknown = await client.send(request, { abortSignal: signal }).then(
    () => null,
    (error: unknown) => error,
  );
  try {
    const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal: signal });
    if (ContentLength === bytes) return;
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
  } catch (error) {
    throw refusal ?? error;
  }
  throw new S3Error('IncompleteBody', undefined, `the store does not have all ${bytes} bytes of an upload`);
}
