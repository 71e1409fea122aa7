/** Faults of whatever keeps the files, as errors that say what is wrong and whether it passes by itself. */
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
  message: 'There is no room left where files are stored. Please tell an administrator.',
};
const AWAY: Fault = {
  code: 'fileStoreAway',
  status: 503,
  message: 'The store that keeps the files does not answer. Please try again in a moment.',
};
const TOO_MANY_OPEN: Fault = {
  code: 'tooManyOpenFiles',
  status: 503,
  message: 'The server has too many files open. Please try again in a moment.',
};
/** Wrong keys, missing rights or a bucket that is gone: nothing that passes while a run waits. */
const REFUSES: Fault = {
  code: 'fileStoreRefuses',
  status: 502,
  message: 'The store that keeps the files refuses what the server asks of it. Please tell an administrator.',
};
const MISSING: Fault = {
  code: 'fileStoreMissing',
  status: 503,
  message: 'The folder in which files are stored is missing or not mounted. Please tell an administrator.',
};
const FAULTS = [FULL, AWAY, TOO_MANY_OPEN, REFUSES, MISSING];
/** Answers of HTTP that name the caller as the reason, and yet pass: request timeout, too many requests. */
const PASSING = new Set([408, 429]);

const FAULT_BY_CODE: Record<string, Fault> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  // Of stores that speak S3: a 507, and MinIO's name for it.
  XMinioStorageFull: FULL,
  EMFILE: TOO_MANY_OPEN,
  ENFILE: TOO_MANY_OPEN,
  // A disk that cannot be read, a share whose server has forgotten it.
  EIO: AWAY,
  ESTALE: AWAY,
  StoreFolderMissing: MISSING,
};
/** Of a file or folder, which an error with a path is about: the same codes also speak of connections. */
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

/** A fault of the store itself, and nothing that the caller could do otherwise. */
export const isStoreFault = (error: unknown): error is AppError =>
  error instanceof AppError && FAULTS.some(({ code }) => code === error.code);

const passes = (error: unknown): boolean => isStoreFault(error) && error.status === AWAY.status;

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
  return status !== undefined && status >= 400 && status < 500 && !PASSING.has(status) ? REFUSES : AWAY;
}

/** A share whose server is gone may not answer at all. */
const CHECK_TIMEOUT_MS = 2_000;

/** The same store, whose faults have a text for people, and stand in the log with their reason. */
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

/** Callers share one check, so that a share that does not answer holds one thread. A fault is logged when it begins and when it ends. */
function createCheck(store: Pick<FileStore, 'check'>, log: Log, timeoutMs: number): () => Promise<void> {
  let checking: Promise<Fault | null> | undefined;
  let logged: Fault | null = null;

  function record(fault: Fault | null, err: unknown): Fault | null {
    if (fault !== logged) {
      if (fault) log.error({ err }, `the file store failed: ${fault.message}`);
      else log.info('the file store answers again');
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
    const timeout = pause(timeoutMs, AWAY, { signal: late.signal, ref: false }).catch(() => AWAY);
    const fault = await Promise.race([checking, timeout]);
    late.abort();
    if (fault) throw new AppError(fault.code, fault.status, fault.message);
  };
}

/** A run that was calculated waits for its store so long: what it came to is worth more than its thread. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

/** What a run does with the store, again and again while that is away, until the run is stopped. Bytes alone can be put again. */
export function patiently(
  store: FileStore,
  signal: AbortSignal,
): Pick<FileStore, 'read' | 'delete'> & { put(bytes: Uint8Array): ReturnType<FileStore['put']> } {
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    const since = performance.now();
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!passes(error) || signal.aborted || performance.now() - since > PATIENCE_MS) throw error;
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
