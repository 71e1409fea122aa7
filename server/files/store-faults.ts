/** Converts errors of the underlying storage to errors that say what is wrong and whether it is temporary. */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import type { FileStore } from './file-store.ts';

interface Fault {
  code: string;
  status: number;
  message: string;
}

const FULL: Fault = {
  code: 'fileStoreFull',
  // Insufficient Storage: RFC 4918, section 11.5.
  status: 507,
  message: 'The file storage is full. Please tell an administrator.',
};
const AWAY: Fault = {
  code: 'fileStoreAway',
  status: 503,
  message: 'The file storage does not respond. Please try again in a moment.',
};
const TOO_MANY_OPEN: Fault = {
  code: 'tooManyOpenFiles',
  status: 503,
  message: 'The server has too many files open. Please try again in a moment.',
};
/** Wrong keys, missing rights or a deleted bucket: nothing that goes away while a run waits. */
const REFUSES: Fault = {
  code: 'fileStoreRefuses',
  status: 502,
  message: 'The file storage rejects the requests of the server. Please tell an administrator.',
};
const MISSING: Fault = {
  code: 'fileStoreMissing',
  status: 503,
  message: 'The folder of the file storage is missing or not mounted. Please tell an administrator.',
};
const FAULTS = [FULL, AWAY, TOO_MANY_OPEN, REFUSES, MISSING];
/** HTTP statuses that blame the caller but are temporary: request timeout, too many requests. */
const TRANSIENT_STATUSES = new Set([408, 429]);

const FAULT_BY_CODE: Record<string, Fault> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  // For S3-compatible stores: a 507, and MinIO's name for it.
  XMinioStorageFull: FULL,
  EMFILE: TOO_MANY_OPEN,
  ENFILE: TOO_MANY_OPEN,
  // A disk that cannot be read, or a share that its server no longer knows.
  EIO: AWAY,
  ESTALE: AWAY,
  StoreFolderMissing: MISSING,
};
/** Only for errors with a path, which are about files and folders: the same codes are also used for connections. */
const FAULT_OF_PATH_BY_CODE: Record<string, Fault> = {
  ENOENT: AWAY,
  ENOTDIR: AWAY,
  ENOTCONN: AWAY,
  ENODEV: AWAY,
  ENXIO: AWAY,
  EHOSTDOWN: AWAY,
  EHOSTUNREACH: AWAY,
  ETIMEDOUT: AWAY,
  EACCES: REFUSES,
  EPERM: REFUSES,
  EROFS: REFUSES,
};

/** Returns true for an error of the store itself, which the caller cannot avoid. */
export const isStoreFault = (error: unknown): error is AppError =>
  error instanceof AppError && FAULTS.some(({ code }) => code === error.code);

const isTransient = (error: unknown): boolean => isStoreFault(error) && error.status === AWAY.status;

function faultOf(error: unknown): Fault | undefined {
  const {
    name,
    code = '',
    path,
    status,
  } = (error ?? {}) as {
    name?: string;
    code?: string;
    path?: unknown;
    status?: number;
  };
  const known = FAULT_BY_CODE[code] ?? (path === undefined ? undefined : FAULT_OF_PATH_BY_CODE[code]);
  if (known) return known;
  if (name !== 'S3Error') return undefined;
  if (status === FULL.status) return FULL;
  return status !== undefined && status >= 400 && status < 500 && !TRANSIENT_STATUSES.has(status) ? REFUSES : AWAY;
}

/** A share whose server is gone may not respond at all. */
const CHECK_TIMEOUT_MS = 2_000;

/** Wraps the store so that its errors have a message for people and are logged with their cause. */
export function withClearFaults(
  store: FileStore,
  log: Log,
  { checkTimeoutMs = CHECK_TIMEOUT_MS }: { checkTimeoutMs?: number } = {},
): FileStore {
  const clearly = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      const fault = faultOf(cause);
      if (!fault) throw cause;
      log.error({ err: cause }, `the file store failed: ${fault.message}`);
      throw new AppError(fault.code, fault.status, fault.message, { cause });
    }
  };
  return {
    check: createCheck(store, log, checkTimeoutMs),
    put: (content, options) => clearly(store.put(content, options)),
    restore: (key, content) => clearly(store.restore(key, content)),
    open: (key) => clearly(store.open(key)),
    read: (key) => clearly(store.read(key)),
    has: (key) => clearly(store.has(key)),
    delete: (key) => clearly(store.delete(key)),
    list: (after, limit) => clearly(store.list(after, limit)),
    clearUnfinished: (before) => clearly(store.clearUnfinished(before)),
  };
}

/**
 * Callers share one check, so a share that does not respond occupies only one thread. An error is logged when it begins
 * and when it ends.
 */
function createCheck(store: Pick<FileStore, 'check'>, log: Log, timeoutMs: number): () => Promise<void> {
  let checking: Promise<Fault | null> | undefined;
  let logged: Fault | null = null;

  function record(fault: Fault | null, err: unknown): Fault | null {
    if (fault !== logged) {
      if (fault) log.error({ err }, `the file store failed: ${fault.message}`);
      else log.info('the file store responds again');
    }
    logged = fault;
    return fault;
  }

  const checkOnce = (): Promise<Fault | null> =>
    store
      .check()
      .then(
        () => record(null, undefined),
        (err: unknown) => record(faultOf(err) ?? AWAY, err),
      )
      .finally(() => (checking = undefined));

  return async () => {
    checking ??= checkOnce();
    const late = new AbortController();
    const timeout = pause(timeoutMs, 'timeout' as const, { signal: late.signal, ref: false }).catch(() => null);
    const result = await Promise.race([checking, timeout]);
    const fault = result === 'timeout' ? record(AWAY, new Error(`no response within ${timeoutMs} ms`)) : result;
    late.abort();
    if (fault) throw new AppError(fault.code, fault.status, fault.message);
  };
}

/** How long a run waits for its store, in milliseconds: the results of a calculation are worth more than its thread. */
const RETRY_TIMEOUT_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Wraps the store for a run: operations are retried while the store is unavailable, until the run is stopped. Only
 * content in memory can be stored again.
 */
export function withRetries(
  store: FileStore,
  signal: AbortSignal,
): Pick<FileStore, 'read' | 'delete'> & { put(bytes: Uint8Array): ReturnType<FileStore['put']> } {
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    const since = performance.now();
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isTransient(error) || signal.aborted || performance.now() - since > RETRY_TIMEOUT_MS) throw error;
        await pause(PAUSE_MS, undefined, { signal }).catch(() => {});
      }
    }
  };
  return {
    read: (key) => again(() => store.read(key)),
    put: (bytes) => again(() => store.put(bytes)),
    delete: (key) => store.delete(key),
  };
}
