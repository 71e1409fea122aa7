/** The starts that wait on this computer, where it keeps any. */
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

/** Reads them and hears of changes, from the first call on. */
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

/** Starts that a log-out would delete; 0 where they cannot be read, as they are kept then. */
export async function countWaitingStarts(): Promise<number> {
  return bridge.outbox.isOffered ? openCount(await bridge.outbox.list().catch(() => [])) : 0;
}

/** What is not started yet. */
export const openCount = (entries: readonly OutboxEntry[] | null): number =>
  (entries ?? []).filter(({ State }) => State !== 'started').length;
