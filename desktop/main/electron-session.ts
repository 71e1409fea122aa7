/** The Chromium session of an account: its pages, and what its windows may. */
import { session, type Session } from 'electron';
import type { Account } from './accounts.ts';
import { APP_ORIGIN, SCHEME } from './portal-protocol.ts';

/** Each account has a store of its own; windows of none have one that is forgotten. */
export const sessionOf = (account: Account | null): Session =>
  session.fromPartition(account ? `persist:account-${account.id}` : 'servers');

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
