import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

/**
 * Returns the fair-share key of a visitor's runs, derived from the IP address. A key per run would give each start its
 * own share. One subscriber has 2^64 IPv6 addresses, so only their common half counts (RFC 6177). The key is hashed, so
 * that lists of runs do not reveal addresses.
 */
export function visitorFairShareKey(address: string): string {
  const network = isIPv6(address) ? networkOf(address) : address;
  return `visitor ${createHash('sha256').update(network).digest('base64url')}`;
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail = ''] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === '' ? 0 : tail.split(':').length;
  const zeros = address.includes('::') ? Math.max(8 - groups.length - after, 0) : 0;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...(tail === '' ? [] : tail.split(':'))];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
