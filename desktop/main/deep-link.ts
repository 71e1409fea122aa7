/** Deep links such as `runsheet://open/activities/runstatus/5`, which open a page of the portal. */
import { ownPath } from '#shared/rules/own-path.ts';
import { SCHEME } from './portal-protocol.ts';

const OPEN = `${SCHEME}://open/`;

/**
 * Parameters that sign-ins and requests for sessions put into addresses. Any web page can open a link, so links must
 * not contain them.
 */
const RESERVED_PARAMETERS = ['c', 'ott', 'sso', 'ssoError'];

/**
 * Returns the path in the portal with its query; null if the text is not such a link. Links that would leave the portal
 * lead to its start page.
 */
export function deepLinkPath(link: string): string | null {
  return link.toLowerCase().startsWith(OPEN) ? withoutReserved(ownPath(`/${link.slice(OPEN.length)}`)) : null;
}

function withoutReserved(path: string): string {
  const url = new URL(path, 'http://portal.invalid');
  const reserved = RESERVED_PARAMETERS.filter((name) => url.searchParams.has(name));
  if (reserved.length === 0) return path;
  for (const name of reserved) url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Returns the path of the first link among the program's arguments; null if there is none. */
export function deepLinkAmong(args: readonly string[]): string | null {
  return args.map(deepLinkPath).find((path) => path !== null) ?? null;
}
