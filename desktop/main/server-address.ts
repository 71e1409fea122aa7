/** Parses the address of a server as users type it. */
import { say } from './language.ts';

/**
 * Parses an address, with https as the default. Throws an Error with a text for the user. @returns an address that
 * starts with https:// (or http:// on this computer) and ends with '/'
 */
export function readServerAddress(typed: string): string {
  const text = typed.trim();
  if (text === '') throw new Error(say('Please enter the address of the portal'));
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || url.hostname === '') throw new Error(`'${text}' is not an address`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(say('The address must begin with https://'));
  if (url.username !== '' || url.password !== '')
    throw new Error(say('The address must not contain a user name or password'));
  if (url.protocol === 'http:' && !isThisComputer(url.hostname)) {
    throw new Error(say('The address must begin with https://. Without encryption, others could read your data'));
  }
  return `${url.origin}${basePathOf(url.pathname)}`;
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const isThisComputer = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(host);

/** Paths of portal pages that users copy from their browser; they are not part of the portal's base path. */
const PAGES = /\/(activities|checklists|workflows|tableviews|login|administration|documents|index\.html)(\/.*)?$/;

function basePathOf(path: string): string {
  return `${path.replace(PAGES, '').replace(/\/+$/, '')}/`;
}
