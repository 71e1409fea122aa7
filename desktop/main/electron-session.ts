/** The Chromium session of an account: its pages, its network, and what its windows may. */
import { session, type Session } from 'electron';
import { liveEvents } from '#shared/contract/live.ts';
import type { Account } from './accounts.ts';
import { heedingAbort } from './heeding-abort.ts';
import type { Net, NetInit } from './ports.ts';
import { tellingEnd } from './telling-end.ts';
import { APP_ORIGIN, SCHEME } from './portal-protocol.ts';

/** Each account has a store of its own; windows of none have one that is forgotten. */
export const sessionOf = (account: Account | null): Session =>
  session.fromPartition(account ? `persist:account-${account.id}` : 'servers');

/** Calls through Chromium's network stack, and so through the proxies and with the certificates of the system. */
export function createNet(account: Account | null): Net {
  return {
    fetch: (url, init) => {
      const isStream = account !== null && new URL(url).pathname.endsWith(liveEvents.path);
      return isStream
        ? inEventSession(account, (used) => fetchBy(used, url, init))
        : fetchBy(sessionOf(account), url, init);
    },
  };
}

async function fetchBy(used: Session, url: string, { body, ...init }: NetInit): Promise<Response> {
  const response = await used.fetch(url, {
    ...init,
    ...(body === undefined ? {} : { body: body as BodyInit }),
    credentials: 'omit',
    redirect: 'manual',
    cache: 'no-store',
  });
  return init.signal ? heedingAbort(response, init.signal) : response;
}

/** Streams in each of the sessions of an account. */
const streams = new Map<string, number[]>();
/** Chromium opens six connections to a server in a session. */
const STREAMS_PER_SESSION = 5;

/**
 * Streams of events have sessions of their own, a few in each, so that however many windows there are, none of them and no other call
 * waits for a connection: no handler learns that a page was left before its request was answered.
 */
async function inEventSession({ id }: Account, begin: (used: Session) => Promise<Response>): Promise<Response> {
  const counts = streams.get(id) ?? [];
  streams.set(id, counts);
  const free = counts.findIndex((count) => count < STREAMS_PER_SESSION);
  const number = free < 0 ? counts.length : free;
  counts[number] = (counts[number] ?? 0) + 1;
  const onEnd = (): void => void (counts[number]! -= 1);
  try {
    return tellingEnd(await begin(session.fromPartition(`events-${id}-${number}`)), onEnd);
  } catch (error) {
    onEnd();
    throw error;
  }
}

type Answer = (request: Request) => Promise<Response>;

/** What answers the pages of a session. */
const answers = new Map<Session, Answer>();

/** Has what pages have stored written by now. */
export const flushSessions = (): void => answers.forEach((_answer, used) => used.flushStorageData());

/** The same of the pages of an account. */
export const flushSession = (account: Account): void => sessionOf(account).flushStorageData();

/** Has the session's pages answered so from now on. */
export function serve(account: Account | null, answer: Answer): void {
  const used = sessionOf(account);
  const isKnown = answers.has(used);
  answers.set(used, answer);
  if (isKnown) return;
  used.protocol.handle(SCHEME, async (request) => {
    try {
      return (await answers.get(used)!(request as unknown as Request)) as unknown as GlobalResponse;
    } catch {
      // A lost network, as a page of the web would see it.
      return Response.error() as unknown as GlobalResponse;
    }
  });
  // Writing to the clipboard after a click is all that a page may.
  used.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(permission === ('clipboard-sanitized-write' as string) && requestingUrl.startsWith(`${APP_ORIGIN}/`)),
  );
  used.setPermissionCheckHandler(
    (_contents, permission, origin) =>
      permission === ('clipboard-sanitized-write' as string) && origin.startsWith(APP_ORIGIN),
  );
  used.setDevicePermissionHandler(() => false);
}

export async function eraseSession(account: Account): Promise<void> {
  const used = sessionOf(account);
  await used.clearStorageData();
  await used.clearCache();
}
