/**
 * The chosen output rows for the form of a linked run. The window's history also holds them, but this copy survives a
 * session that ends while the form is filled in.
 */
import type { OutputTransform } from '#shared/contract/links.ts';

export interface WindowStore {
  get: (key: string) => string | null;
  set: (key: string, value: string | null) => void;
}

interface LinkedRows {
  linkId: number;
  runId: number;
  OutputTransforms: OutputTransform[];
}

const KEY = 'linked-rows';

/** Stores the rows of the form that was opened last. Older forms are reached through the window's history. */
export const rememberLinkedRows = (store: WindowStore, rows: LinkedRows): void => store.set(KEY, JSON.stringify(rows));

/** Returns null if the form was not opened in this window. */
export function linkedRows(store: WindowStore, linkId: number, runId: number): OutputTransform[] | null {
  const json = store.get(KEY);
  if (json === null) return null;
  const stored = JSON.parse(json) as LinkedRows;
  return stored.linkId === linkId && stored.runId === runId ? stored.OutputTransforms : null;
}
