/**
 * Saves marks one call at a time. While a call is in flight, only the newest marks wait; older pending marks are never
 * sent.
 */
import type { Mark } from '#shared/contract/designs.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { toFailure, type AppFailure } from '#renderer/api/app-failure.ts';

export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict';

export interface MarkSaverOptions {
  revision: number;
  send: (revision: number, marks: readonly Mark[]) => Promise<{ Revision: number; Found: InspectedWorkbook }>;
  /** Called after each change of state; `found` is the server's analysis of the marks that were just saved. */
  onState: (state: SaveState, detail: { found?: InspectedWorkbook; failure?: AppFailure }) => void;
  /** Debounce in milliseconds. */
  delay: number;
}

export interface MarkSaver {
  save: (marks: readonly Mark[]) => void;
  /**
   * Sends pending marks immediately. Resolves with the server's analysis of the marks; null if they cannot be saved.
   */
  flush: () => Promise<InspectedWorkbook | null>;
  retry: () => void;
  stop: () => void;
}

export function createMarkSaver({ revision: opened, send, onState, delay }: MarkSaverOptions): MarkSaver {
  let revision = opened;
  let waiting: readonly Mark[] | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | null = null;
  let isStopped = false;
  let latest: InspectedWorkbook | null = null;

  const sendNow = async (): Promise<void> => {
    clearTimeout(timer);
    if (sending || waiting === null || isStopped) return sending ?? undefined;
    const marks = waiting;
    waiting = null;
    onState('saving', {});
    sending = send(revision, marks).then(
      ({ Revision, Found }) => {
        sending = null;
        revision = Revision;
        latest = Found;
        if (!isStopped) onState(waiting ? 'waiting' : 'saved', { found: Found });
        return waiting ? sendNow() : undefined;
      },
      (error: unknown) => {
        sending = null;
        const failure = toFailure(error);
        // If newer marks are waiting, do not replace them.
        waiting ??= marks;
        if (!isStopped) onState(failure.status === 409 ? 'conflict' : 'failed', { failure });
      },
    );
    return sending;
  };

  return {
    save: (marks) => {
      waiting = marks;
      onState('waiting', {});
      clearTimeout(timer);
      timer = setTimeout(() => void sendNow(), delay);
    },
    flush: async () => {
      await sendNow();
      return waiting === null ? latest : null;
    },
    retry: () => void sendNow(),
    stop: () => {
      clearTimeout(timer);
      isStopped = true;
    },
  };
}
