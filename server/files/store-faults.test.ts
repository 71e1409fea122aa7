import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { FileStore } from './file-store.ts';
import { StoreFolderMissing } from './folder-marker.ts';
import { S3Error } from './s3/s3-client.ts';
import { isStoreFault, withRetries, withClearFaults } from './store-faults.ts';

/** A store whose reads fail this many times with this error. */
function failing(error: unknown, times: number): { store: FileStore; lines: string[]; reads: () => number } {
  let reads = 0;
  const lines: string[] = [];
  const read = async (): Promise<Buffer> => {
    reads += 1;
    if (reads <= times) throw error;
    return Buffer.from('there');
  };
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  return { store: withClearFaults({ read } as unknown as FileStore, log), lines, reads: () => reads };
}

const ofSystem = (code: string): Error => Object.assign(new Error(code), { code });
const ofFile = (code: string): Error => Object.assign(ofSystem(code), { path: '/files/00' });

test.each([
  [ofSystem('ENOSPC'), 507, 'fileStoreFull'],
  [ofSystem('EDQUOT'), 507, 'fileStoreFull'],
  [new S3Error('XMinioStorageFull', 507, 'no room'), 507, 'fileStoreFull'],
  [ofSystem('EMFILE'), 503, 'tooManyOpenFiles'],
  [ofSystem('EIO'), 503, 'fileStoreAway'],
  [ofFile('ENOENT'), 503, 'fileStoreAway'],
  [ofFile('ENOTCONN'), 503, 'fileStoreAway'],
  [ofFile('EROFS'), 502, 'fileStoreRefuses'],
  [new StoreFolderMissing('/files', new Error('no')), 503, 'fileStoreMissing'],
  [new S3Error('ECONNREFUSED', undefined, 'no'), 503, 'fileStoreAway'],
  [new S3Error('SlowDown', 503, 'no'), 503, 'fileStoreAway'],
  [new S3Error('TooManyRequests', 429, 'no'), 503, 'fileStoreAway'],
  [new S3Error('AccessDenied', 403, 'no'), 502, 'fileStoreRefuses'],
  [new S3Error('NoSuchBucket', 404, 'no'), 502, 'fileStoreRefuses'],
])('%s is answered as %i %s, and logged with its reason', async (cause, status, code) => {
  const { store, lines } = failing(cause, 1);
  const error = await store.read('x').catch((refused: unknown) => refused);
  expect(error).toMatchObject({ status, code, cause });
  expect(isStoreFault(error)).toBe(true);
  expect(lines.join()).toContain(cause.message);
});

test('what is no fault of the store stays as it is', async () => {
  const cause = ofSystem('ECONNRESET');
  const { store, lines } = failing(cause, 1);
  await expect(store.read('x')).rejects.toBe(cause);
  expect(isStoreFault(cause)).toBe(false);
  expect(lines).toEqual([]);
});

test('a run waits for a store that is away, not for one that is full or refuses, and not once it was stopped', async () => {
  const away = failing(new S3Error('ECONNREFUSED', undefined, 'no'), 2);
  expect((await withRetries(away.store, new AbortController().signal).read('x')).toString()).toBe('there');
  expect(away.reads()).toBe(3);

  const full = failing(ofSystem('ENOSPC'), 9);
  await expect(withRetries(full.store, new AbortController().signal).read('x')).rejects.toMatchObject({ status: 507 });
  expect(full.reads()).toBe(1);

  const refusing = failing(new S3Error('AccessDenied', 403, 'no'), 9);
  await expect(withRetries(refusing.store, new AbortController().signal).read('x')).rejects.toMatchObject({
    status: 502,
  });
  expect(refusing.reads()).toBe(1);

  const gone = failing(new S3Error('ECONNREFUSED', undefined, 'no'), 9);
  const stopping = new AbortController();
  const reading = withRetries(gone.store, stopping.signal).read('x');
  stopping.abort();
  await expect(reading).rejects.toMatchObject({ code: 'fileStoreAway' });
  expect(gone.reads()).toBeLessThan(3);
});

/** A log that records its messages. */
function recordingLog() {
  const messages: string[] = [];
  const write = (line: string): void => void messages.push((JSON.parse(line) as { msg: string }).msg);
  return { log: pino({ level: 'info' }, { write }), messages };
}
const AWAY_AND_BACK = [
  'the file store failed: The file storage does not respond. Please try again in a moment.',
  'the file store responds again',
];

test('a check that hangs, as on a share whose server is gone, is answered and not repeated, and logged once', async () => {
  let checks = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): Promise<void> => ((checks += 1), promise);
  const { log, messages } = recordingLog();
  const store = withClearFaults({ check } as unknown as FileStore, log, { checkTimeoutMs: 10 });
  for (let times = 0; times < 3; times++) await expect(store.check()).rejects.toMatchObject({ code: 'fileStoreAway' });
  expect(checks).toBe(1);
  resolve();
  await promise;
  await store.check();
  expect(messages).toEqual(AWAY_AND_BACK);
});

test('a check logs a fault once, and once that it has passed', async () => {
  const faults: (Error | null)[] = [ofSystem('EIO'), ofSystem('EIO'), null, null];
  const { log, messages } = recordingLog();
  const check = async (): Promise<void> => {
    const fault = faults.shift();
    if (fault) throw fault;
  };
  const store = withClearFaults({ check } as unknown as FileStore, log);
  for (let times = 0; times < 4; times++) await store.check().catch(() => {});
  expect(messages).toEqual(AWAY_AND_BACK);
});
