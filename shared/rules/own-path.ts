/** Paths to come back to after sign-in. A sign-in that led to another site would lend that site our name. */

const LONGEST = 1000;

/** The page that a sign-in leads to which only proves who is there: it hands the token on to the page that waits for it. */
export const SIGNED_IN_AGAIN_PATH = '/signedinagain';

/**
 * The path, with its query, as one of this portal: below its base path, beginning with one slash. '/' for anything else: addresses
 * of other sites in any spelling a browser would take for one ('//host', '/\host', '/<tab>/host'), and what is too long.
 */
export function ownPath(path: string | null | undefined): string {
  if (!path || path.length > LONGEST || !path.startsWith('/')) return '/';
  // Browsers drop tabs and line breaks from addresses, and read a backslash as a slash.
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(path) || path.startsWith('//')) return '/';
  // '..' would lead above the base path.
  if (/\/(\.|%2e){1,2}(\/|#|$)/i.test(path.split('?')[0]!)) return '/';
  return path;
}
