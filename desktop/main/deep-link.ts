/** `runsheet://open/activities/runstatus/5`: the page of the portal that a link leads to. */
import { ownPath } from '#shared/rules/own-path.ts';
import { SCHEME } from './portal-protocol.ts';

const OPEN = `${SCHEME}://open/`;

/** The path of the portal, with its query; null for what is no such link. What would lead out of the portal leads to its start. */
export function deepLinkPath(link: string): string | null {
  return link.toLowerCase().startsWith(OPEN) ? ownPath(`/${link.slice(OPEN.length)}`) : null;
}

/** Of the first link among the arguments of a start; null where there is none. */
export function deepLinkAmong(args: readonly string[]): string | null {
  return args.map(deepLinkPath).find((path) => path !== null) ?? null;
}
