/**
 * Session handoff to programs of the same user: shows Continue in a window of the account, and delivers the code to the
 * program.
 */
import type { AccountPortal } from './account-portal.ts';
import type { Account, Accounts } from './accounts.ts';
import type { ClientWindow, Windows } from './client-windows.ts';
import { bringCode } from './handoff-delivery.ts';
import { isSameText, type HandoffAnswer, type HandoffRequest } from './handoff-request.ts';
import { ServerProblem } from './handshake.ts';
import { say } from './language.ts';
import { isAllowed, NO_POLICY, NOT_ALLOWED, type Policy } from './policy.ts';
import type { Clock, Log } from './ports.ts';
import { APP_ORIGIN } from './portal-protocol.ts';
import { readServerAddress } from './server-address.ts';

export interface SessionHandoffs {
  /** Asks the user in a window, which is brought to the front. */
  show(request: HandoffRequest): Promise<HandoffAnswer>;
  /**
   * Delivers a code once, to the program on whose behalf the window asked; any other address gets nothing. @param url
   * address built by the page
   */
  deliver(window: ClientWindow, url: string): Promise<void>;
}

export interface SessionHandoffsDeps {
  accounts: Accounts;
  windows: Windows;
  clock: Clock;
  log: Log;
  /** Throws a ServerProblem if the account cannot be opened now. */
  portalOf(account: Account): Promise<AccountPortal>;
  policy?: Policy;
}

/** Longer than the lifetime of a request in the page (desktop/renderer/app/add-in.ts). */
const LIFETIME_MS = 15 * 60_000;

interface Asked {
  request: HandoffRequest;
  began: number;
}

export function createSessionHandoffs(deps: SessionHandoffsDeps): SessionHandoffs {
  const { windows, clock, log } = deps;
  const asked = new Map<ClientWindow, Asked>();
  const forgetClosed = (): void => {
    const open = new Set(windows.list());
    for (const window of asked.keys()) if (!open.has(window)) asked.delete(window);
  };
  return {
    show: async (request) => {
      try {
        const account = accountAt(deps.accounts, readServerAddress(request.Portal));
        if (!isAllowed(deps.policy ?? NO_POLICY, account?.address ?? '')) return refused(say(NOT_ALLOWED));
        if (!account) return refused(say('The desktop client has no account at this portal'));
        const portal = await deps.portalOf(account);
        forgetClosed();
        // A program that asks again has abandoned its first request.
        const there = [...asked.keys()].find((window) => window.portal === portal);
        const url = askAddress(request);
        const window = there ?? windows.open(portal, url);
        if (there) there.load(url);
        window.focus();
        asked.set(window, { request, began: clock.now() });
        return { Shown: true, Message: '' };
      } catch (error) {
        if (!(error instanceof ServerProblem)) log('a program could not be handed a session', error);
        return refused((error as Error).message);
      }
    },
    deliver: async (window, url) => {
      const known = asked.get(window);
      asked.delete(window);
      // For example a link written by someone else: there is no program to notify.
      if (!known) return log('a page wanted to hand over a code that no program had asked for');
      const { request, began } = known;
      const code = clock.now() - began < LIFETIME_MS ? codeFor(request, url) : null;
      const result = code === null ? 'failure' : await bringCode(request.Port, code, request.State);
      window.load(`${APP_ORIGIN}/?${new URLSearchParams({ c: request.ClientKind, result }).toString()}`);
    },
  };
}

const refused = (Message: string): HandoffAnswer => ({ Shown: false, Message });

/** Returns the account opened last, otherwise one with a signed-in user. */
function accountAt(accounts: Accounts, address: string): Account | null {
  const there = accounts.list().filter((account) => account.address === address);
  const last = accounts.last();
  return (
    there.find((account) => account.id === last?.id) ??
    there.find(({ userName }) => userName !== null) ??
    there[0] ??
    null
  );
}

function askAddress({ ClientKind, Port, Challenge, State }: HandoffRequest): string {
  const query = new URLSearchParams({ c: `${ClientKind}:${Port}`, challenge: Challenge, state: State });
  return `${APP_ORIGIN}/?${query.toString()}`;
}

/** Returns null if the address does not belong to this request. */
function codeFor({ Port, State }: HandoffRequest, address: string): string | null {
  const { host, pathname, searchParams } = new URL(address);
  const code = searchParams.get('code') ?? '';
  const isOurs = host === `127.0.0.1:${Port}` && pathname === '/' && isSameText(searchParams.get('state') ?? '', State);
  return isOurs && code !== '' && code.length <= 100 ? code : null;
}
