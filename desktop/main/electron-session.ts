/** The Chromium session of an account: its pages, its network, and what its windows may. */
import { session, type Session } from 'electron';
import { liveEvents } from '#shared/contract/live.ts';
import type { Account } from './accounts.ts';
import type { Net } from './ports.ts';
import { APP_ORIGIN, SCHEME } from './portal-protocol.ts';

/** Each account has a store of its own; windows of none have one that is forgotten. */
export const sessionOf = (account: Account | null): Session =>
  session.fromPartition(account ? `persist:account-${account.id}` : 'servers');

/**
 * Calls through Chromium's network stack, and so through the proxies and with the certificates of the system. Streams of events have a session
 * of their own: Chromium opens six connections to a server, and no handler learns that a page was left before its request was answered, so
 * that six such streams would keep all calls waiting.
 */
export function createNet(account: Account | null): Net {
  return {
    fetch: (url, { body, ...init }) =>
      networkOf(account, url).fetch(url, {
        ...init,
        ...(body === undefined ? {} : { body: body as BodyInit }),
        credentials: 'omit',
        redirect: 'manual',
        cache: 'no-store',
      }),
  };
}

function networkOf(account: Account | null, url: string): Session {
  const isStream = new URL(url).pathname.endsWith(liveEvents.path);
  return account && isStream ? session.fromPartition(`events-${account.id}`) : sessionOf(account);
}

const prepared = new WeakSet<Session>();

/** Has the session's pages answered, once. */
export function serve(account: Account | null, handle: (request: Request) => Promise<Response>): void {
  const used = sessionOf(account);
  if (prepared.has(used)) return;
  prepared.add(used);
  used.protocol.handle(SCHEME, async (request) => {
    try {
      return (await handle(request as unknown as Request)) as unknown as GlobalResponse;
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
