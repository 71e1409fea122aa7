/** The page to return to after sign-in. */
import { bridge } from '#renderer/api/bridge.ts';
import { ownPath } from '#shared/rules/own-path.ts';

const REDIRECT_KEY = 'redirectPath';

/** Returns the page's path, query and fragment without the base path, starting with '/'. */
export function pathBelowBase(): string {
  const { pathname, search, hash } = window.location;
  const path = pathname.startsWith(bridge.basePath) ? pathname.slice(bridge.basePath.length) : '';
  return `/${path}${search}${hash}`;
}

/** Stores the path to return to after sign-in, without parameters about the end of a session. */
export function rememberPath(path: string): void {
  bridge.window.set(REDIRECT_KEY, path);
}

/** Returns the path to open after sign-in, always within the portal; '/', the user's start page, if none is stored. */
export const rememberedPath = (): string => ownPath(bridge.window.get(REDIRECT_KEY));

export function forgetPath(): void {
  bridge.window.set(REDIRECT_KEY, null);
}

export function takeRememberedPath(): string {
  const path = rememberedPath();
  forgetPath();
  return path;
}
