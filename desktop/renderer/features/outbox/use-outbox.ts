/** The starts that wait on this computer, where it keeps any. */
import { create } from 'zustand';
import type { OutboxEntry } from '#bridge/outbox.ts';
import { bridge } from '#renderer/api/bridge.ts';

interface OutboxStore {
  /** Null until they were read. */
  entries: OutboxEntry[] | null;
}

export const useOutbox = create<OutboxStore>(() => ({ entries: null }));

let isWatching = false;

/** Reads them and hears of changes, from the first call on. */
export function watchOutbox(): void {
  if (isWatching || !bridge.outbox.isOffered) return;
  isWatching = true;
  bridge.outbox.onChange((entries) => useOutbox.setState({ entries }));
  void bridge.outbox.list().then((entries) => useOutbox.setState({ entries }));
}

/** What is not started yet. */
export const openCount = (entries: readonly OutboxEntry[] | null): number =>
  (entries ?? []).filter(({ State }) => State !== 'started').length;
