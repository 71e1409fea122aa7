/** Addresses to which a browser may take the answer of a person. Source: RFC 6749, section 3.1.2; RFC 8252, section 7. */

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Schemes that a browser executes or reads, instead of passing the address to a program. */
const REFUSED_SCHEMES = [
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'javascript:',
  'mailto:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
];

/** Returns whether a client may register the address: a site with TLS, or a program on the person's own computer. */
export function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#') || /[\s\\\p{Cc}]/u.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.includes(hostname);
  // The scheme of a program: at least an address such as program://callback.
  return !REFUSED_SCHEMES.includes(protocol) && text.startsWith(`${protocol}//`);
}

/** Returns whether the answer goes to a program on the person's own computer. */
export const isLocalUri = (text: string): boolean => {
  const { protocol, hostname } = new URL(text);
  return protocol !== 'https:' && (protocol !== 'http:' || LOOPBACK.includes(hostname));
};

/**
 * Returns whether the address is one of the registered ones, letter for letter. A program on the person's computer takes
 * any free port. RFC 8252, section 7.3.
 */
export function isRegistered(text: string, registered: readonly string[]): boolean {
  if (!isRedirectUri(text)) return false;
  return (
    registered.includes(text) || (isLoopback(text) && registered.some((uri) => withoutPort(uri) === withoutPort(text)))
  );
}

const isLoopback = (text: string): boolean => new URL(text).protocol === 'http:';

function withoutPort(text: string): string {
  const url = new URL(text);
  if (url.protocol === 'http:') url.port = '';
  return url.href;
}
