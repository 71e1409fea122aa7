/** The Chromium session of an account: serves its pages and limits what its windows may do. */
import { session, type Session } from 'electron';
import type { Account } from './accounts.ts';
import { APP_ORIGIN, SCHEME } from './portal-protocol.ts';

/** Each account has its own persistent storage; windows without an account use a temporary one. */
export const sessionOf = (account: Account | null): Session =>
  session.fromPartition(account ? `persist:account-${account.id}` : 'servers');

type Answer = (request: Request) => Promise<Response>;

/** The request handler of each session's pages. */
const answers = new Map<Session, Answer>();

/** Writes the data stored by all pages to disk immediately. */
export const flushSessions = (): void => answers.forEach((_answer, used) => used.flushStorageData());

/** Writes the data stored by an account's pages to disk immediately. */
export const flushSession = (account: Account): void => sessionOf(account).flushStorageData();

/** Sets the request handler of the session's pages. */
export function serve(account: Account | null, answer: Answer): void {
  const used = sessionOf(account);
  const isKnown = answers.has(used);
  answers.set(used, answer);
  if (isKnown) return;
  used.protocol.handle(SCHEME, async (request) => {
    try {
      return (await answers.get(used)!(request as unknown as Request)) as unknown as GlobalResponse;
    } catch {
      // Looks to the page like a network failure.
      return Response.error() as unknown as GlobalResponse;
    }
  });
  // The only permission of a page is writing to the clipboard after a click.
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
