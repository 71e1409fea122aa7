/** `runsheet://open/activities/runstatus/5`: the page of the portal that a link leads to. */
import { ownPath } from '#shared/rules/own-path.ts';
import { SCHEME } from './portal-protocol.ts';

const OPEN = `${SCHEME}://open/`;

/** What sign-ins and programs that ask for a session put into addresses. Any web page can open a link, so none of these may come from one. */
const RESERVED_PARAMETERS = ['c', 'ott', 'sso', 'ssoError'];

/** The path of the portal, with its query; null for what is no such link. What would lead out of the portal leads to its start. */
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

/** Of the first link among the arguments of a start; null where there is none. */
export function deepLinkAmong(args: readonly string[]): string | null {
  return args.map(deepLinkPath).find((path) => path !== null) ?? null;
}
