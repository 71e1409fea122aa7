/**
 * Parses mail addresses as people write them. Source: RFC 5322 section 3.4, of which only the common forms are
 * accepted.
 */

/** Maximum length of an address that mail servers accept: RFC 5321 section 4.5.3.1. */
const MAX_ADDRESS_LENGTH = 254;

const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
/** Characters that could end a header line, and others that no name or address contains. */
// oxlint-disable-next-line no-control-regex -- finding control characters is what it is for
const CONTROL = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;

export interface MailAddress {
  name: string;
  address: string;
}

/**
 * Parses 'ann@example.com' or 'Ann Lee <ann@example.com>'; returns null for anything else, so no text can smuggle in a
 * header or a second recipient.
 */
export function singleAddress(text: string): MailAddress | null {
  if (CONTROL.test(text)) return null;
  const named = /^([^<>"]*|"[^"<>\\]*")\s*<([^<>]+)>$/.exec(text.trim());
  const name = named ? named[1]!.trim().replace(/^"|"$/g, '') : '';
  const address = (named ? named[2]! : text).trim();
  const local = address.slice(0, address.lastIndexOf('@'));
  const isAddress = ADDRESS.test(address) && !/^\.|\.$|\.\./.test(local);
  return isAddress && address.length <= MAX_ADDRESS_LENGTH ? { name, address } : null;
}

/**
 * Parses a list separated by semicolons, commas or line breaks, without duplicates; `wrong` contains the parts that are
 * not addresses.
 */
export function parseAddresses(text: string): { addresses: MailAddress[]; wrong: string[] } {
  const addresses = new Map<string, MailAddress>();
  const wrong: string[] = [];
  for (const part of text.split(/[;,\r\n]/)) {
    if (part.trim() === '') continue;
    const found = singleAddress(part);
    if (!found) wrong.push(part.trim());
    else if (!addresses.has(found.address.toLowerCase())) addresses.set(found.address.toLowerCase(), found);
  }
  return { addresses: [...addresses.values()], wrong };
}

export const domainOf = ({ address }: MailAddress): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Returns true if a text fits into a header line. */
export const fitsHeader = (text: string): boolean => !CONTROL.test(text);
