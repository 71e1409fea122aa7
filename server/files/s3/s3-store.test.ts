import { createServer } from 'node:http';
import { inspect } from 'node:util';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeFileStore } from '#test/support/file-store-suite.ts';
import { listen } from '#test/support/peers/peer.ts';
import { startFaultyS3Peer } from '#test/support/peers/faulty-s3.ts';
import { startS3Peer, type S3Peer } from '#test/support/peers/s3.ts';
import { createS3Client, type S3Settings } from './s3-client.ts';
import { createS3FileStore, type S3FileStore } from './s3-store.ts';

let server: S3Peer;
let settings: S3Settings;
let stores: S3FileStore[] = [];

beforeAll(async () => {
  server = await startS3Peer();
  ({ settings } = server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  stores = [await createS3FileStore(settings)];
});
afterEach(async () => {
  for (const store of stores) store.close();
  for (const Key of await everything()) await call(new DeleteObjectCommand({ Bucket: settings.bucket, Key }));
});

/** Calls S3 directly, bypassing the store. */
async function call(command: unknown): Promise<unknown> {
  const client = createS3Client(settings);
  try {
    return await client.send(command as never);
  } finally {
    client.destroy();
  }
}

async function everything(): Promise<string[]> {
  const listed = await call(new ListObjectsV2Command({ Bucket: settings.bucket }));
  return ((listed as { Contents?: { Key: string }[] }).Contents ?? []).map(({ Key }) => Key);
}

describeFileStore('a store in a bucket', () => ({
  store: stores[0]!,
  another: async () => {
    const store = await createS3FileStore(settings);
    stores.push(store);
    return store;
  },
  everything,
}));

describe('a store in a bucket', () => {
  it('keeps to its prefix, and sees only its own files there', async () => {
    const { key } = await stores[0]!.put(Buffer.from('x'));
    expect(await everything()).toEqual([`test/files/${key}`]);
    const other = key.replaceAll(/./g, 'a');
    for (const Key of [`test/files/${key}.old`, 'test/files/-notes', `elsewhere/${other}`]) {
      await call(new PutObjectCommand({ Bucket: settings.bucket, Key, Body: 'x' }));
    }
    expect((await stores[0]!.list('', 1)).files).toEqual([]);
    const after = (await stores[0]!.list('', 1)).next!;
    expect((await stores[0]!.list(after, 10)).files.map((file) => file.key)).toEqual([key]);
  });

  it('is checked by a request, and not again for some seconds after one that succeeded', async () => {
    const proxy = await startFaultyS3Peer(settings);
    const store = await createS3FileStore(proxy.settings);
    stores.push(store);
    try {
      proxy.isAway = true;
      await expect(store.check()).rejects.toMatchObject({ name: 'S3Error', status: undefined });
      proxy.isAway = false;
      await store.check();
      proxy.isAway = true;
      await store.check();
    } finally {
      await proxy.stop();
    }
  });

  it('does not mind that a store cannot list unfinished uploads', async () => {
    const at = { Bucket: settings.bucket, Key: `test/files/${'a'.repeat(48)}` };
    await call(new CreateMultipartUploadCommand(at));
    expect(await stores[0]!.clearUnfinished(new Date())).toBe(0);
  });
});

interface Answer {
  status: number;
  body: string;
  /** Content-Length of the response to a HEAD request. */
  length?: number;
}

/** Starts a server that returns the responses of `answer`. */
async function answering(
  answer: (method: string, path: string) => Answer,
  use: (endpoint: string) => Promise<void>,
): Promise<void> {
  const http = createServer((request, response) => {
    request.resume();
    const { status, body, length } = answer(request.method!, request.url!);
    const about = length === undefined ? {} : { 'content-length': length };
    response.writeHead(status, { 'content-type': 'application/xml', ...about });
    response.end(body === '' ? '' : `<?xml version="1.0"?>${body}`);
  });
  const { port, stop } = await listen(http);
  try {
    await use(`http://127.0.0.1:${port}`);
  } finally {
    await stop();
  }
}

describe('an upload in parts', () => {
  const MB = 1024 * 1024;

  /**
   * Stores a file of 9 MB in parts on a fake server, which returns `completion` for completing the upload and `length`
   * for HEAD.
   */
  async function putOn(completion: Answer, length: number, calls: string[]): Promise<number> {
    const answer = (method: string, path: string): Answer => {
      const query = new URL(path, 'http://x').searchParams;
      const isProbe = path.includes('write-test');
      if (!isProbe && !query.has('list-type'))
        calls.push([method, ...[...query.keys()].filter((key) => key !== 'x-id')].join(' '));
      if (query.has('uploads')) {
        const body = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>';
        return { status: 200, body };
      }
      if (method === 'POST') return completion;
      if (method === 'HEAD') return { status: 200, body: '', length };
      return { status: method === 'DELETE' ? 204 : 200, body: '' };
    };
    let stored = -1;
    await answering(answer, async (endpoint) => {
      const store = await createS3FileStore({ ...settings, endpoint });
      stores.push(store);
      stored = (await store.put(Buffer.alloc(9 * MB))).contentLength;
    });
    return stored;
  }

  const PARTS = ['POST uploads', 'PUT partNumber uploadId', 'PUT partNumber uploadId', 'POST uploadId', 'HEAD'];

  it('counts as done where the store has it all, although it refuses to complete it a second time', async () => {
    const calls: string[] = [];
    const refusal = { status: 404, body: '<Error><Code>NoSuchUpload</Code><Message>no</Message></Error>' };
    expect(await putOn(refusal, 9 * MB, calls)).toBe(9 * MB);
    expect(calls).toEqual(PARTS);
  });

  it('is taken back where the store does not have it all', async () => {
    const calls: string[] = [];
    const done = { status: 200, body: '<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>' };
    await expect(putOn(done, 8 * MB, calls)).rejects.toThrow('does not have all 9437184 bytes');
    expect(calls).toEqual([...PARTS, 'DELETE', 'DELETE uploadId']);
  });
});

describe('uploads that a killed server left in a bucket', () => {
  it('are aborted where they are old and lie under the prefix, page by page', async () => {
    const key = (letter: string): string => `test/files/${letter.repeat(48)}`;
    const upload = (name: string, id: string, time: string): string =>
      `<Upload><Key>${name}</Key><UploadId>${id}</UploadId><Initiated>${time}</Initiated></Upload>`;
    const pages: Record<string, string> = {
      '': `${upload(key('a'), 'old', '2026-01-01T00:00:00Z')}${upload(key('b'), 'new', '2026-01-03T00:00:00Z')}
        <IsTruncated>true</IsTruncated><NextKeyMarker>b</NextKeyMarker><NextUploadIdMarker>new</NextUploadIdMarker>`,
      b: `${upload(key('c'), 'gone', '2026-01-01T00:00:00Z')}${upload(key('d'), 'old too', '2026-01-01T00:00:00Z')}
        ${upload('test/files/notes', 'foreign', '2026-01-01T00:00:00Z')}<IsTruncated>false</IsTruncated>`,
    };
    const aborted: string[] = [];
    const answer = (method: string, path: string): { status: number; body: string } => {
      const query = new URL(path, 'http://x').searchParams;
      if (query.has('uploads')) {
        const page = pages[query.get('key-marker') ?? '']!;
        return { status: 200, body: `<ListMultipartUploadsResult>${page}</ListMultipartUploadsResult>` };
      }
      const id = query.get('uploadId');
      if (id === null) return { status: method === 'DELETE' ? 204 : 200, body: '' };
      aborted.push(id);
      return id === 'gone'
        ? { status: 404, body: '<Error><Code>NoSuchUpload</Code></Error>' }
        : { status: 204, body: '' };
    };
    await answering(answer, async (endpoint) => {
      const store = await createS3FileStore({ ...settings, endpoint });
      stores.push(store);
      expect(await store.clearUnfinished(new Date('2026-01-02T00:00:00Z'))).toBe(3);
    });
    expect(aborted).toEqual(['old', 'gone', 'old too']);
  });
});

/** Returns the line that a start with these settings prints. */
async function refusal(changes: Partial<S3Settings>): Promise<string> {
  try {
    (await createS3FileStore({ ...settings, ...changes })).close();
  } catch (error) {
    expect((error as Error).name).toBe('StartError');
    // The log prints errors with their causes.
    expect(inspect(error, { depth: 10 })).not.toMatch(/hidden-secret|HIDDENKEY/);
    return (error as Error).message;
  }
  throw new Error('the settings were taken');
}

describe('a start with a bucket that cannot be used', () => {
  const credentials = { accessKeyId: 'HIDDENKEY', secretAccessKey: 'hidden-secret' };

  it('says that there is no such bucket', async () => {
    expect(await refusal({ bucket: 'nowhere' })).toContain('there is no bucket nowhere at http://127.0.0.1');
  });

  it('says that the keys are wrong, and does not show them', async () => {
    expect(await refusal({ credentials })).toMatch(
      /does not accept the keys \(InvalidAccessKeyId\).*RUNSHEET_S3_ACCESS/,
    );
    const wrong = { accessKeyId: 'S3RVER', secretAccessKey: 'hidden-secret' };
    expect(await refusal({ credentials: wrong })).toContain('does not accept the keys (SignatureDoesNotMatch)');
  });

  it('says that the store cannot be reached', async () => {
    const line = await refusal({ endpoint: 'http://127.0.0.1:1' });
    expect(line).toMatch(/http:\/\/127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED.*RUNSHEET_S3_ENDPOINT$/);
  });

  it.each([
    [403, 'AccessDenied', 'may not list, write and delete in the bucket runsheet'],
    [301, 'PermanentRedirect', 'in another region than us-east-1'],
    [400, 'AuthorizationHeaderMalformed', 'see RUNSHEET_S3_REGION'],
    [403, 'RequestTimeTooSkewed', 'the clocks of this machine'],
    [501, 'NotImplemented', 'answered NotImplemented: no'],
  ])('explains the answer %i %s', async (status, code, line) => {
    const body = `<Error><Code>${code}</Code><Message>no</Message></Error>`;
    await answering(
      () => ({ status, body }),
      async (endpoint) => expect(await refusal({ endpoint })).toContain(line),
    );
  });
});
