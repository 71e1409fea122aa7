/** Sends starts so that one whose response was lost is not made twice. */
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/headers.ts';
import { createUniqueId } from './unique-id.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * Returns a function that starts something with a key in the headers. If it fails, the next attempt to start the same
 * has the same key, because the first one may have reached the server.
 */
export function createKeyedStart(): <Started>(
  what: string | number,
  start: (headers: Headers) => Promise<Started>,
) => Promise<Started> {
  const keys = new Map<string | number, string>();
  return async (what, start) => {
    const key = keys.get(what) ?? createUniqueId();
    keys.set(what, key);
    const started = await start({ [IDEMPOTENCY_KEY_HEADER]: key });
    keys.delete(what);
    return started;
  };
}
