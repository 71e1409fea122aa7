/**
 * The keychain of the operating system. On Linux, this is the desktop's secret service (GNOME Keyring, KWallet), never
 * a file.
 */
import { say } from './language.ts';
import type { Secrets } from './ports.ts';

/** The part of @napi-rs/keyring that is used. */
export interface KeyringModule {
  AsyncEntry: new (
    service: string,
    name: string,
    options?: { linux?: { store: 'secret-service' } },
  ) => {
    getPassword(signal?: AbortSignal): Promise<string | null | undefined>;
    setPassword(secret: string, signal?: AbortSignal): Promise<void>;
    deleteCredential(signal?: AbortSignal): Promise<unknown>;
  };
}

const KEYCHAIN_SERVICE = 'Runsheet';
/** Timeout: a locked keychain prompts the user, and the program continues without it if they do not respond. */
const KEYCHAIN_TIMEOUT_MS = 10_000;
const LATE = 'The keychain of the system did not answer; it may be locked';
const MISSING = 'No keychain of the system was found';

export interface Keychain extends Secrets {
  /** True if a call has timed out but is still pending. It would keep the process from exiting. */
  isStuck(): boolean;
}

/** @param load throws if the module does not fit this system; called on first use */
export function createKeychain(load: () => KeyringModule, timeoutMs = KEYCHAIN_TIMEOUT_MS): Keychain {
  let lastCall: Promise<unknown> = Promise.resolve();
  let isStuck = false;
  const withEntry = async <T>(name: string, work: (entry: InstanceType<KeyringModule['AsyncEntry']>) => Promise<T>) => {
    // Each call occupies one of Node's few threads, which file operations need too, until it returns. Therefore at most
    // one call may be stuck.
    if (isStuck) throw new Error(say(LATE));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        isStuck = true;
        reject(new Error(say(LATE)));
      }, timeoutMs);
    });
    try {
      const { AsyncEntry } = load();
      const asked = work(new AsyncEntry(KEYCHAIN_SERVICE, name, { linux: { store: 'secret-service' } }));
      const onEnd = (): void => void (isStuck = false);
      asked.then(onEnd, onEnd);
      return await Promise.race([asked, late]);
    } catch (error) {
      throw readable(error);
    } finally {
      clearTimeout(timer);
    }
  };
  const serialized: typeof withEntry = (name, work) => {
    const done = lastCall.then(() => withEntry(name, work));
    lastCall = done.catch(() => undefined);
    return done;
  };
  return {
    isStuck: () => isStuck,
    get: (name) => serialized(name, async (entry) => (await entry.getPassword()) ?? null),
    set: (name, secret) => serialized(name, (entry) => entry.setPassword(secret)),
    remove: (name) => serialized(name, async (entry) => void (await entry.deleteCredential().catch(ignoreMissing))),
  };
}

/** A missing entry does not have to be removed. */
function ignoreMissing(error: unknown): void {
  if (!/no (matching )?(entry|credential)|not found/i.test((error as Error).message)) throw error;
}

function readable(error: unknown): Error {
  const text = (error as Error).message;
  if (/did not answer/.test(text)) return error as Error;
  if (/lock/i.test(text)) return new Error(say('The keychain of the system is locked'), { cause: error });
  return new Error(say(MISSING), { cause: error });
}
