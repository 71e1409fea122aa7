/** The starts that wait on this computer, if it stores any. */
import { create } from 'zustand';
import type { OutboxEntry } from '#bridge/outbox.ts';
import { bridge } from '#renderer/api/bridge.ts';

interface OutboxStore {
  /** Null until they were read. */
  entries: OutboxEntry[] | null;
  /** Why they could not be read. */
  failure: Error | null;
}

export const useOutbox = create<OutboxStore>(() => ({ entries: null, failure: null }));

let isWatching = false;

/** Reads the waiting starts and subscribes to changes, on the first call. */
export function watchOutbox(): void {
  if (isWatching || !bridge.outbox.isOffered) return;
  isWatching = true;
  bridge.outbox.onChange((entries) => useOutbox.setState({ entries, failure: null }));
  void readOutbox();
}

export async function readOutbox(): Promise<void> {
  useOutbox.setState({ failure: null });
  try {
    useOutbox.setState({ entries: await bridge.outbox.list() });
  } catch (error) {
    useOutbox.setState({ failure: error instanceof Error ? error : new Error(String(error)) });
  }
}

/**
 * Returns the number of starts that logging out would delete; 0 if they cannot be read, because then they are retained.
 */
export async function countWaitingStarts(): Promise<number> {
  return bridge.outbox.isOffered ? openCount(await bridge.outbox.list().catch(() => [])) : 0;
}

/** Counts the entries that are not started yet. */
export const openCount = (entries: readonly OutboxEntry[] | null): number =>
  (entries ?? []).filter(({ State }) => State !== 'started').length;
