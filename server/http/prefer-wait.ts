import type { FastifyRequest } from 'fastify';
import { MAX_PREFERRED_WAIT_SECONDS } from '#shared/contract/headers.ts';

/**
 * Returns the seconds for which the caller prefers to wait instead of being told that the work is still in progress:
 * the preference `wait` of the header Prefer (RFC 7240, sections 2 and 4.3), limited to MAX_PREFERRED_WAIT_SECONDS. Returns undefined
 * if absent. Preferences that are not understood are ignored, as that standard requires; of several, the first counts.
 */
export function preferredWait({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  for (const preference of [headers['prefer'] ?? []].flat().join(',').split(',')) {
    const [name = '', value = ''] = preference.split(';', 1)[0]!.split('=', 2);
    if (name.trim().toLowerCase() !== 'wait') continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value.trim())?.[1];
    return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_PREFERRED_WAIT_SECONDS);
  }
  return undefined;
}
