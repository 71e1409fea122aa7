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
const LATE = 'The keychain of the system did not answer; it may be locked';
const MISSING = 'No keychain of the system was found';

export interface Keychain extends Secrets {
  /** A call has waited too long, and still waits: by itself the program could not end. */
  isStuck(): boolean;
}

/** @param load throws where the module does not fit this system; called at the first use */
export function createKeychain(load: () => KeyringModule, patienceMs = PATIENCE_MS): Keychain {
  let turn: Promise<unknown> = Promise.resolve();
  let isStuck = false;
  const withEntry = async <T>(name: string, work: (entry: InstanceType<KeyringModule['AsyncEntry']>) => Promise<T>) => {
    // Each holds a thread of the few that Node has for files, too, until it is answered: never more than one may wait for that.
    if (isStuck) throw new Error(LATE);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        isStuck = true;
        reject(new Error(LATE));
      }, patienceMs);
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
  const inTurn: typeof withEntry = (name, work) => {
    const done = turn.then(() => withEntry(name, work));
    turn = done.catch(() => undefined);
    return done;
  };
  return {
    isStuck: () => isStuck,
    get: (name) => inTurn(name, async (entry) => (await entry.getPassword()) ?? null),
    set: (name, secret) => inTurn(name, (entry) => entry.setPassword(secret)),
    remove: (name) => inTurn(name, async (entry) => void (await entry.deleteCredential().catch(ignoreMissing))),
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
