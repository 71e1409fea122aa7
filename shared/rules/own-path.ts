/**
 * Checks paths to return to after sign-in. A sign-in that redirects to another site would abuse the user's trust in the
 * portal (open redirect).
 */

const MAX_PATH_LENGTH = 1000;

/** Target page of a sign-in that only proves who the user is: it passes the token to the page that waits for it. */
export const SIGNED_IN_AGAIN_PATH = '/signedinagain';

/**
 * Returns the path with its query if it lies within this portal: below its base path, starting with a single slash.
 * Returns '/' for anything else: paths that are too long, and addresses of other sites in any spelling that browsers
 * accept ('//host', '/\host', '/<tab>/host').
 */
export function ownPath(path: string | null | undefined): string {
  if (!path || path.length > MAX_PATH_LENGTH || !path.startsWith('/')) return '/';
  // Browsers remove tabs and line breaks from addresses, and treat a backslash as a slash.
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(path) || path.startsWith('//')) return '/';
  // '..' would lead above the base path.
  if (/\/(\.|%2e){1,2}(\/|#|$)/i.test(path.split('?')[0]!)) return '/';
  return path;
}
