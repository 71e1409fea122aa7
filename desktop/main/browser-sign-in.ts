/**
 * Sign-in through the system browser, where a provider may already know the user. See docs/add-ins.md and decision
 * 0038.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Value } from 'typebox/value';
import { addInToken } from '#shared/contract/add-in.ts';
import { SsoTokenResponse } from '#shared/contract/sso.ts';
import { say } from './language.ts';
import { listenForCode } from './loopback.ts';
import type { Clock, Net, Shell } from './ports.ts';

export interface BrowserSignIn {
  /** Opens the browser; can be called again if the user closed it. */
  openBrowser(): Promise<void>;
  /** The server's result. Rejects with a text for the user, or with a SignInCancelled if cancelled. */
  answer: Promise<SsoTokenResponse>;
  cancel(): void;
}

export interface BrowserSignInDeps {
  net: Net;
  shell: Shell;
  clock: Clock;
  /** Address of the server; ends with '/'. */
  address: string;
}

/** The portal's name for this program. */
const CLIENT_KIND = 'desktop';
const SIGN_IN_TIMEOUT_MS = 5 * 60_000;

export class SignInCancelled extends Error {}

export async function beginBrowserSignIn(deps: BrowserSignInDeps): Promise<BrowserSignIn> {
  const { address, shell, clock } = deps;
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const state = randomBytes(16).toString('base64url');
  let resolve: (answer: SsoTokenResponse) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const answer = new Promise<SsoTokenResponse>((onAnswer, onError) => ([resolve, reject] = [onAnswer, onError]));
  answer.catch(() => undefined);
  const back = (result: 'success' | 'failure'): string => `${address}?c=${CLIENT_KIND}&result=${result}`;
  const loopback = await listenForCode({
    state,
    onCode: async (code) => {
      stopWaiting();
      try {
        resolve(await redeem(deps, code, verifier));
        return back('success');
      } catch (error) {
        reject(error as Error);
        return back('failure');
      }
    },
  });
  const end = (error: Error): void => {
    stopWaiting();
    loopback.close();
    reject(error);
  };
  const stopWaiting = clock.after(SIGN_IN_TIMEOUT_MS, () =>
    end(new Error(say('Nobody signed in with the browser within five minutes'))),
  );
  const query = new URLSearchParams({ c: `${CLIENT_KIND}:${loopback.port}`, challenge, state });
  return {
    openBrowser: () => shell.openExternal(`${address}?${query.toString()}`),
    answer,
    cancel: () => end(new SignInCancelled(say('The sign-in was cancelled'))),
  };
}

async function redeem({ net, address }: BrowserSignInDeps, Code: string, Verifier: string): Promise<SsoTokenResponse> {
  const response = await net.fetch(address + addInToken.path.slice(1), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ Code, Verifier }),
  });
  const { result, message } = (await response.json()) as { result?: unknown; message?: unknown };
  if (Value.Check(SsoTokenResponse, result)) return result;
  throw new Error(typeof message === 'string' ? message : 'Login failed');
}
