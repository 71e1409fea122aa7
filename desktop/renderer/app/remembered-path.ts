/** Where the person was, to go on there after signing in. */
import { bridge } from '#renderer/api/bridge.ts';
import { ownPath } from '#shared/rules/own-path.ts';

const REDIRECT_KEY = 'redirectPath';

/** The page's path, query and fragment as the portal sees it: from '/', without the base path. */
export function pathBelowBase(): string {
  const { pathname, search, hash } = window.location;
  const path = pathname.startsWith(bridge.basePath) ? pathname.slice(bridge.basePath.length) : '';
  return `/${path}${search}${hash}`;
}

/** Path to return to after sign-in, without the traces of a session's end. */
export function rememberPath(path: string): void {
  bridge.window.set(REDIRECT_KEY, path);
}

/** The path to go to after sign-in, never one that leads away from the portal: '/', where the person begins, if none is remembered. */
export const rememberedPath = (): string => ownPath(bridge.window.get(REDIRECT_KEY));

export function forgetPath(): void {
  bridge.window.set(REDIRECT_KEY, null);
}

export function takeRememberedPath(): string {
  const path = rememberedPath();
  forgetPath();
  return path;
}
