import { expect, it } from 'vitest';
import { MAX_PREFERRED_WAIT_SECONDS } from '#shared/contract/headers.ts';
import { preferredWait } from './prefer-wait.ts';

const waitOf = (prefer: string | undefined): number | undefined => preferredWait({ headers: { prefer } });

it.each([
  ['wait=30', 30],
  ['respond-async, wait=10', 10],
  ['Wait = "5" ; extra=1', 5],
  ['wait=0', 0],
  ['wait=3, wait=20', 3],
  ['wait=3600', MAX_PREFERRED_WAIT_SECONDS],
])('%s is understood', (prefer, seconds) => expect(waitOf(prefer)).toBe(seconds));

it.each([undefined, '', 'wait', 'wait=', 'wait=-1', 'wait=1.5', 'wait=soon', 'waiting=5', 'wait=99999999999'])(
  '%s is passed over',
  (prefer) => expect(waitOf(prefer)).toBeUndefined(),
);
