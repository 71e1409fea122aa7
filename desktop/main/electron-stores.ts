/** Where this program keeps things, and what it reads of that before anything is shown. */
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
import { loadWindowPlaces } from './window-places.ts';

/** To be called before Chromium is ready, which takes as long. */
export async function prepare() {
  const { secrets, ...stores } = createStores();
  // Until Chromium is ready nothing goes on here that waits for an answer; so the keychain has to be asked at once.
  const asked = askedEarly(secrets, secretsOfLast());
  const { files } = stores;
  const [policy, accounts, places, preferences] = await Promise.all([
    loadPolicy(policyPath(process.platform, process.env)),
    loadAccounts(files),
    loadWindowPlaces(files),
    loadPreferences(files),
  ]);
  return { stores: { ...stores, secrets: asked }, policy, accounts, places, preferences };
}

/** Names of those that opening the account takes that was open last. */
function secretsOfLast(): string[] {
  try {
    const last = lastAccountIn(readFileSync(join(app.getPath('userData'), ACCOUNTS_FILE), 'utf8'));
    return last ? secretsToOpen(last) : [];
  } catch {
    // Such as at the first start. What is there and cannot be read is told of as the accounts are loaded.
    return [];
  }
}

/** The end of the program waits for what is being written. */
function createStores(): Pick<ClientDeps, 'files' | 'blobs' | 'secrets' | 'draggedFiles'> {
  const folder = app.getPath('userData');
  const writes = createLastWrites();
  // Loaded at its first use: where it does not fit the system, there is no keychain.
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

/** Longer than a keychain may take. */
const END_MS = 12_000;

/** A token whose writing was cut short would be asked for again at the next start. */
function endAfter(writes: LastWrites, keychain: Keychain): void {
  let hasWaited = false;
  app.on('will-quit', (event) => {
    if (hasWaited || (writes.areDone() && !keychain.isStuck())) return;
    event.preventDefault();
    hasWaited = true;
    void writes.done(END_MS).then(() => (keychain.isStuck() ? endAtOnce() : app.quit()));
  });
}

const FLUSH_MS = 1000;

/** Node waits for every call that was begun, such as that of a keychain whose question nobody answers. */
function endAtOnce(): void {
  flushSessions();
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), FLUSH_MS);
}
