/** The program's storage, and what is read from it before anything is shown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { secretsToOpen } from './account-portal.ts';
import { ACCOUNTS_FILE, lastAccountIn, loadAccounts } from './accounts.ts';
import type { ClientDeps } from './client.ts';
import { createDraggedFiles } from './dragged-files.ts';
import { askedEarly } from './early-secrets.ts';
import { flushSessions } from './electron-session.ts';
import { createKeychain, type Keychain, type KeyringModule } from './keychain.ts';
import { createLastWrites, type LastWrites } from './last-writes.ts';
import { createBlobs } from './node-blobs.ts';
import { createFiles } from './node-files.ts';
import { loadPolicy, policyPath } from './policy.ts';
import { loadPreferences } from './preferences.ts';
import { loadWindowBounds } from './window-bounds.ts';

/** Must be called before Chromium is ready, to use the time until then. */
export async function prepare() {
  const { secrets, ...stores } = createStores();
  // Until Chromium is ready, no asynchronous work continues here, so the keychain must be queried first.
  const asked = askedEarly(secrets, secretsOfLast());
  const { files } = stores;
  const [policy, accounts, windowBounds, preferences] = await Promise.all([
    loadPolicy(policyPath(process.platform, process.env)),
    loadAccounts(files),
    loadWindowBounds(files),
    loadPreferences(files),
  ]);
  return { stores: { ...stores, secrets: asked }, policy, accounts, places: windowBounds, preferences };
}

/** Returns the names of the secrets needed to open the last account. */
function secretsOfLast(): string[] {
  try {
    const last = lastAccountIn(readFileSync(join(app.getPath('userData'), ACCOUNTS_FILE), 'utf8'));
    return last ? secretsToOpen(last) : [];
  } catch {
    // For example at the first start. A file that exists but cannot be read is reported when the accounts are loaded.
    return [];
  }
}

/** The program waits for pending writes before it ends. */
function createStores(): Pick<ClientDeps, 'files' | 'blobs' | 'secrets' | 'draggedFiles'> {
  const folder = app.getPath('userData');
  const writes = createLastWrites();
  // Loaded on first use; if the module does not fit the system, there is no keychain.
  const keychain = createKeychain(() => require('@napi-rs/keyring') as KeyringModule);
  endAfter(writes, keychain);
  const draggedFiles = createDraggedFiles(join(folder, 'dragged'));
  draggedFiles.clear();
  app.on('will-quit', () => draggedFiles.clear());
  return {
    draggedFiles,
    files: writes.files(createFiles(folder)),
    blobs: (name) => writes.blobs(createBlobs(join(folder, name))),
    secrets: writes.secrets(keychain),
  };
}

/** Longer than the keychain's timeout. */
const END_MS = 12_000;

/** If writing a token were interrupted, the user would have to sign in again at the next start. */
function endAfter(writes: LastWrites, keychain: Keychain): void {
  let hasWaited = false;
  app.on('will-quit', (event) => {
    if (hasWaited || (writes.areDone() && !keychain.isStuck())) return;
    event.preventDefault();
    hasWaited = true;
    void writes.done(END_MS).then(() => (keychain.isStuck() ? forceQuit() : app.quit()));
  });
}

const FLUSH_MS = 1000;

/** Node would wait for every pending call, such as a keychain prompt that nobody answers. */
function forceQuit(): void {
  flushSessions();
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), FLUSH_MS);
}
