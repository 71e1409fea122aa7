import { useEffect } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { draftCipher } from './draft-cipher.ts';
import { useSession } from './session.ts';

/** Where people go on without their server the key for what they type is asked for, and kept, while the server is there: before any form is opened. */
export function useDraftKey(): void {
  const userName = useSession((state) => state.session?.userName ?? '');
  useEffect(() => {
    if (bridge.outbox.isOffered) void draftCipher(userName);
  }, [userName]);
}
