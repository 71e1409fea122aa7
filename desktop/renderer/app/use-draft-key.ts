import { useEffect } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { draftCipher } from './draft-cipher.ts';
import { useSession } from './session.ts';

/**
 * Where users can continue without their server, fetches and caches the key for drafts while the server is reachable,
 * before any form is opened.
 */
export function useDraftKey(): void {
  const userName = useSession((state) => state.session?.userName ?? '');
  useEffect(() => {
    if (bridge.outbox.isOffered) void draftCipher(userName);
  }, [userName]);
}
