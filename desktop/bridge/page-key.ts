/**
 * A secret by which the main process recognizes calls from the portal's own pages. For most requests, Chromium does not
 * tell a protocol handler which frame or origin sent them, and it does not prevent a frame of another origin from
 * reading the responses. No such frame can learn the addresses of another frame's calls, however. The secret is in the
 * address instead of a header, so that links and images carry it too.
 */

/** Always the last parameter, so that the rest of the address stays unchanged. */
const PARAMETER = 'page-key';
const AT_END = new RegExp(`[?&]${PARAMETER}=([^&]*)$`);

/** Synchronous channel on which a page asks the main process for the key. */
export const PAGE_KEY_CHANNEL = 'runsheet:page-key';

/** Adds the key to the address of a call. @param path may have a query, but no fragment */
export const withPageKey = (path: string, key: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${PARAMETER}=${encodeURIComponent(key)}`;

/** Reverses withPageKey; the key is '' if the address has none. */
export function takePageKey(address: string): { url: URL; key: string } {
  const url = new URL(address);
  const key = AT_END.exec(url.search)?.[1] ?? '';
  url.search = url.search.replace(AT_END, '');
  return { url, key };
}
