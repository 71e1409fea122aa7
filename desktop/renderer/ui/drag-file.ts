/** Drags files to other programs, if the desktop app supports it. */
import type { DragEvent } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { pathOfToken, type TokenEndpoint } from '#renderer/api/download.ts';
import { downloadFile } from '#shared/contract/files.ts';
import { showError } from './toaster.tsx';

/** Returns the drag props for the element that represents the file. @param token requested when a drag begins */
export function dragOf(token: () => Promise<string>, file: TokenEndpoint = downloadFile) {
  if (bridge.fileDrag === null) return {};
  return {
    draggable: true,
    onDragStart: (event: DragEvent): void => {
      event.preventDefault();
      void dragOut(token, file);
    },
  };
}

/** Continues the drag after the file has arrived, unless the button was released before. */
async function dragOut(token: () => Promise<string>, file: TokenEndpoint): Promise<void> {
  const released = new AbortController();
  window.addEventListener('mouseup', () => released.abort(), { once: true, capture: true });
  document.documentElement.classList.add('rs-fetching');
  try {
    const id = await bridge.fileDrag!.fetch(pathOfToken(await token(), file));
    if (id !== null && !released.signal.aborted) bridge.fileDrag!.begin(id);
  } catch (error) {
    showError(toFailure(error).message);
  } finally {
    document.documentElement.classList.remove('rs-fetching');
  }
}
