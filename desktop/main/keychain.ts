/** The keychain of the operating system. On Linux that is the secret service of the desktop (GNOME Keyring, KWallet), never a file. */
import type { Secrets } from './ports.ts';

/** What is used of @napi-rs/keyring. */
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

export const KEYCHAIN_SERVICE = 'Runsheet';
/** A locked keychain asks the person; whoever does not answer by then goes on without it. */
const PATIENCE_MS = 10_000;
const MISSING = 'No keychain of the system was found';

/** @param load throws where the module does not fit this system; called at the first use */
export function createKeychain(load: () => KeyringModule, patienceMs = PATIENCE_MS): Secrets {
  const withEntry = async <T>(name: string, work: (entry: InstanceType<KeyringModule['AsyncEntry']>) => Promise<T>) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error('The keychain of the system did not answer; it may be locked')),
        patienceMs,
      );
    });
    try {
      const { AsyncEntry } = load();
      const entry = new AsyncEntry(KEYCHAIN_SERVICE, name, { linux: { store: 'secret-service' } });
      return await Promise.race([work(entry), late]);
    } catch (error) {
      throw readable(error);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    get: (name) => withEntry(name, async (entry) => (await entry.getPassword()) ?? null),
    set: (name, secret) => withEntry(name, (entry) => entry.setPassword(secret)),
    remove: (name) => withEntry(name, async (entry) => void (await entry.deleteCredential().catch(ignoreMissing))),
  };
}

/** What is not there need not be removed. */
function ignoreMissing(error: unknown): void {
  if (!/no (matching )?(entry|credential)|not found/i.test((error as Error).message)) throw error;
}

function readable(error: unknown): Error {
  const text = (error as Error).message;
  if (/did not answer/.test(text)) return error as Error;
  if (/lock/i.test(text)) return new Error('The keychain of the system is locked', { cause: error });
  return new Error(MISSING, { cause: error });
}
