import type { FastifyRequest } from 'fastify';

/** The longest that a call waits, in seconds: below the minute after which proxies usually give a silent connection up. */
export const LONGEST_WAIT = 50;

/**
 * Seconds for which the caller would rather wait than be answered that the work goes on: the preference `wait` of the header Prefer
 * (RFC 7240, sections 2 and 4.3), at most LONGEST_WAIT. Undefined where it is absent; what is not understood is passed over, as that
 * standard asks. Of several the first counts.
 */
export function preferredWait({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  for (const preference of [headers['prefer'] ?? []].flat().join(',').split(',')) {
    const [name = '', value = ''] = preference.split(';', 1)[0]!.split('=', 2);
    if (name.trim().toLowerCase() !== 'wait') continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value.trim())?.[1];
    return seconds === undefined ? undefined : Math.min(Number(seconds), LONGEST_WAIT);
  }
  return undefined;
}
