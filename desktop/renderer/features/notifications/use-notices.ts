import { useEffect } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { showNotice } from '#renderer/ui/toaster.tsx';

/** Shows the messages that a desktop window could not give to its system. */
export function useNotices(): void {
  useEffect(() => bridge.onNotice(({ Title, Body, Path }) => showNotice(`${Title}: ${Body}`, Path)), []);
}
