/**
 * Signs in at the provider again in a separate window, while this page and its input stay. That window returns to
 * SIGNED_IN_AGAIN_PATH with a one-time token. It puts the token into the storage shared by all windows, from which this
 * page takes it.
 */
import { create } from 'zustand';
import { SIGNED_IN_AGAIN_PATH } from '#shared/rules/own-path.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { pathBelowBase } from './remembered-path.ts';
import { freshSignInAddress } from './sso-session.ts';

const STORE_KEY = 'signedInAgain';
const MAX_ERROR_LENGTH = 300;

interface PassedToken {
  /** Identifies the waiting page, because there may be several. */
  for: string;
  ott: string;
}

interface CameBack {
  error: string | null;
  /** True if an administrator tests the provider, so that nobody was signed in. */
  isTest: boolean;
}

/** Query of the return path of a test. */
const TEST_QUERY = 'test';

/** Set in the window that returned from the provider, and null in all others. */
export const useSignInAgain = create<{ came: CameBack | null }>(() => ({ came: null }));

/**
 * Returns whether this window returned from the provider, and removes the token from its address. Must be called before
 * rendering.
 */
export function readSignInAgain(): boolean {
  if (pathBelowBase().split('?')[0] !== SIGNED_IN_AGAIN_PATH) return false;
  const query = new URLSearchParams(window.location.search);
  const [waiting, ott] = [query.get('for'), query.get('ott')];
  bridge.rewriteAddress('');
  if (waiting && ott) bridge.shared.set(STORE_KEY, JSON.stringify({ for: waiting, ott } satisfies PassedToken));
  const error = waiting && ott ? null : (query.get('ssoError')?.slice(0, MAX_ERROR_LENGTH) ?? t('Login failed'));
  useSignInAgain.setState({ came: { error, isTest: query.has(TEST_QUERY) } });
  return true;
}

/** Returns the token of a fresh sign-in. Rejects if the provider cannot be reached, or if the user gives up. */
export function signInAgain(ssoProvider: string, signal: AbortSignal): Promise<string> {
  return visitProvider((path) => freshSignInAddress(ssoProvider, path), signal);
}

/** Like signInAgain, for a test that signs nobody in. @param begin returns the address of the provider */
export function testAtProvider(begin: (path: string) => Promise<string>, signal: AbortSignal): Promise<string> {
  return visitProvider((path) => begin(`${path}&${TEST_QUERY}=1`), signal);
}

/** @param begin returns the address of the provider. @param signal gives up */
async function visitProvider(begin: (path: string) => Promise<string>, signal: AbortSignal): Promise<string> {
  const waiting = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('');
  const address = await begin(`${SIGNED_IN_AGAIN_PATH}?for=${waiting}`);
  return new Promise((resolve, reject) => {
    const stop = bridge.onSharedChange((key) => {
      const ott = key === STORE_KEY ? takeToken(waiting) : null;
      if (ott === null) return;
      stop();
      resolve(ott);
    });
    signal.addEventListener('abort', () => {
      stop();
      reject(new AppFailure(t('The sign-in was cancelled')));
    });
    bridge.openExternal(address);
  });
}

function takeToken(waiting: string): string | null {
  const text = bridge.shared.get(STORE_KEY);
  if (text === null) return null;
  const passed = JSON.parse(text) as PassedToken;
  if (passed.for !== waiting) return null;
  bridge.shared.set(STORE_KEY, null);
  return passed.ott;
}
