/** The address of a server, as people type it. */

/** Reads an address, with https where it says nothing. Throws an Error with a text for the person. @returns begins with https:// (or http:// of this computer) and ends with '/' */
export function readServerAddress(typed: string): string {
  const text = typed.trim();
  if (text === '') throw new Error('Please enter the address of the portal');
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || url.hostname === '') throw new Error(`'${text}' is not an address`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('The address must begin with https://');
  if (url.username !== '' || url.password !== '') throw new Error('The address must hold no user name and no password');
  if (url.protocol === 'http:' && !isThisComputer(url.hostname)) {
    throw new Error('The address must begin with https://: without encryption others could read along');
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

export const isThisComputer = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(host);

/** Pages of the portal that people copy from their browser, and that are no part of where it lies. */
const PAGES = /\/(activities|checklists|workflows|tableviews|login|administration|documents|index\.html)(\/.*)?$/;

function basePathOf(path: string): string {
  return `${path.replace(PAGES, '').replace(/\/+$/, '')}/`;
}
