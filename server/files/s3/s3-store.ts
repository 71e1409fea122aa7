import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  fileMissing,
  isStoreKey,
  measured,
  newStoreKey,
  requireStoreKey,
  type FileContent,
  type FilePage,
  type FileStore,
  type PutOptions,
  type StoredFile,
} from '../file-store.ts';
import { checkBucket } from './check-bucket.ts';
import { createS3Client, isMissing, S3Error, type S3Settings } from './s3-client.ts';
import { upload } from './s3-upload.ts';

export interface S3FileStore extends FileStore {
  close(): void;
}

interface Bucket {
  client: S3Client;
  Bucket: string;
  prefix: string;
}

/** read() fails if the store sends no data for this long. */
const SILENCE_MS = 60_000;
/** Each start of a run checks the store. For this long after a successful check, no further request is sent. */
const CHECK_VALID_MS = 5_000;

/**
 * Creates a store in a bucket of an S3-compatible service, which any number of servers may share. Throws a StartError
 * if the bucket cannot be used as required.
 */
export async function createS3FileStore(settings: S3Settings): Promise<S3FileStore> {
  const client = createS3Client(settings);
  const bucket: Bucket = { client, Bucket: settings.bucket, prefix: settings.prefix };
  try {
    await checkBucket(client, settings);
  } catch (error) {
    client.destroy();
    throw error;
  }
  return {
    check: createBucketCheck(bucket),
    put: (content, options = {}) => putObject(bucket, newStoreKey(), content, options),
    restore: async (key, content) => putObject(bucket, key, content, {}),
    open: (key) => openObject(bucket, key),
    read: async (key) => readWhole(await openObject(bucket, key)),
    has: (key) => hasObject(bucket, key),
    delete: async (key) => {
      await client.send(new DeleteObjectCommand(objectOf(bucket, key)));
    },
    list: (after, limit) => listObjects(bucket, after, limit),
    clearUnfinished: (before) => abortUploads(bucket, before),
    close: () => client.destroy(),
  };
}

/**
 * Throws an S3Error if the bucket does not respond. The check lists objects instead of sending HeadBucket, because
 * credentials that may list only below the prefix may not send that.
 */
function createBucketCheck({ client, Bucket, prefix: Prefix }: Bucket): () => Promise<void> {
  let validUntil = -Infinity;
  return async () => {
    if (performance.now() < validUntil) return;
    await client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }));
    validUntil = performance.now() + CHECK_VALID_MS;
  };
}

const objectOf = ({ Bucket, prefix }: Bucket, key: string) => ({ Bucket, Key: `${prefix}${requireStoreKey(key)}` });

async function putObject(bucket: Bucket, key: string, content: FileContent, options: PutOptions): Promise<StoredFile> {
  const { chunks, measure } = measured(content, options);
  await upload({ client: bucket.client, ...objectOf(bucket, key), signal: options.signal }, chunks);
  return { key, ...measure() };
}

async function openObject(bucket: Bucket, key: string): Promise<Readable> {
  const request = new GetObjectCommand(objectOf(bucket, key));
  try {
    const { Body } = await bucket.client.send(request);
    // In Node.js, the SDK returns a Node.js stream. If the content ends before its length, the stream reports an error.
    return Body as Readable;
  } catch (error) {
    throw isMissing(error) ? fileMissing(key, error) : error;
  }
}

async function readWhole(body: Readable): Promise<Buffer> {
  const give = (): void =>
    void body.destroy(new S3Error('TimeoutError', undefined, 'the store sends nothing any more'));
  const silence = setTimeout(give, SILENCE_MS);
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      silence.refresh();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    // If the content ends too early, this is an error of the stream and not an S3Error of the request.
    if (error instanceof S3Error) throw error;
    const { code = 'Unknown', message } = error as NodeJS.ErrnoException;
    throw new S3Error(code, undefined, `${code}: ${message}`);
  } finally {
    clearTimeout(silence);
  }
}

async function hasObject(bucket: Bucket, key: string): Promise<boolean> {
  try {
    await bucket.client.send(new HeadObjectCommand(objectOf(bucket, key)));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function listObjects({ client, Bucket, prefix }: Bucket, after: string, limit: number): Promise<FilePage> {
  const StartAfter = after === '' ? undefined : `${prefix}${after}`;
  const request = new ListObjectsV2Command({ Bucket, Prefix: prefix, StartAfter, MaxKeys: limit });
  const { Contents = [], IsTruncated } = await client.send(request);
  const found = Contents.map(({ Key = '', LastModified }) => ({ key: Key.slice(prefix.length), time: LastModified }));
  const last = found.at(-1)?.key;
  return {
    // Other objects below the prefix are not ours.
    files: found.flatMap(({ key, time }) => (time && isStoreKey(key) ? [{ key, time }] : [])),
    next: IsTruncated && last !== undefined ? last : null,
  };
}

/** Aborts unfinished uploads of killed servers. Their parts take space, and no list of objects contains them. */
async function abortUploads({ client, Bucket, prefix }: Bucket, before: Date): Promise<number> {
  let cleared = 0;
  let from: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const request = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...from });
    const page = await client.send(request).catch(ignoreUnknown);
    for (const { Key = '', UploadId, Initiated } of page?.Uploads ?? []) {
      if (!Initiated || Initiated >= before || !isStoreKey(Key.slice(prefix.length))) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(ignoreGone);
      cleared += 1;
    }
    if (!page?.IsTruncated || !page.NextKeyMarker) return cleared;
    from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

/** Some stores do not support this list (501); they delete unfinished uploads by their own rules. */
function ignoreUnknown(error: unknown): undefined {
  if (!(error instanceof S3Error) || error.status !== 501) throw error;
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof S3Error) || error.code !== 'NoSuchUpload') throw error;
}
