/**
 * The secret by which main knows calls of the portal's own pages. Of most requests Chromium tells a handler of a scheme neither the
 * frame nor the origin that asks, and it does not keep a frame of another origin from reading the answers; but no such frame can learn
 * what stands in the addresses of another's calls. In the address rather than in a header, so that links and images carry it too.
 */

/** Always last, so that what stands before it stays as it was written. */
const PARAMETER = 'page-key';
const AT_END = new RegExp(`[?&]${PARAMETER}=([^&]*)$`);

/** On which a page asks main for it, and is answered at once. */
export const PAGE_KEY_CHANNEL = 'runsheet:page-key';

/** The address of a call as main wants it. @param path may have a query, but no fragment */
export const withPageKey = (path: string, key: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${PARAMETER}=${encodeURIComponent(key)}`;

/** What withPageKey has made of an address, undone; the key is '' where there is none. */
export function takePageKey(address: string): { url: URL; key: string } {
  const url = new URL(address);
  const key = AT_END.exec(url.search)?.[1] ?? '';
  url.search = url.search.replace(AT_END, '');
  return { url, key };
}
