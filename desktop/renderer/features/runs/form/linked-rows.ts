/**
 * Which rows of a run's outputs were chosen for the form of a linked run. The form's place in the history of the window holds them; here they
 * outlive a session that ends while the form is filled in.
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

/** Of the form opened last: an older one is reached through the window's history. */
export const rememberLinkedRows = (store: WindowStore, rows: LinkedRows): void => store.set(KEY, JSON.stringify(rows));

/** Null where the form was not opened in this window. */
export function linkedRows(store: WindowStore, linkId: number, runId: number): OutputTransform[] | null {
  const json = store.get(KEY);
  if (json === null) return null;
  const kept = JSON.parse(json) as LinkedRows;
  return kept.linkId === linkId && kept.runId === runId ? kept.OutputTransforms : null;
}
