import { useEffect } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { showNotice } from '#renderer/ui/toaster.tsx';

/** Shows messages that the desktop app could not pass to the operating system. */
export function useNotices(): void {
  useEffect(() => bridge.onNotice(({ Title, Body, Path }) => showNotice(`${Title}: ${Body}`, Path)), []);
}
