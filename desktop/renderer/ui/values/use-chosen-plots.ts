import { useState } from 'react';
import type { Output } from '#shared/contract/parameters.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { readChosenPlots } from './chosen-plots.ts';

/** The plots that are shown for an activity, by the names of its outputs. */
export interface ChosenPlots {
  isChosen: (output: string) => boolean;
  /** True if it was chosen since the page was opened. */
  isNew: (output: string) => boolean;
  toggle: (output: string) => void;
}

/**
 * The plots that the author of the workbook chose, until the user makes another choice. It is stored in this browser, so
 * that each run of the activity shows the same plots.
 */
export function useChosenPlots(activityId: number, outputs: readonly Output[]): ChosenPlots {
  const key = `plots.${activityId}`;
  const [own, setOwn] = useState<ReadonlySet<string> | null>(() => readChosenPlots(bridge.shared.get(key)));
  const [fresh, setFresh] = useState<string | null>(null);
  const chosen = own ?? new Set(outputs.filter(({ Info }) => Info.Plot).map(({ Name }) => Name));
  const toggle = (output: string): void => {
    const next = new Set(chosen);
    if (!next.delete(output)) next.add(output);
    setOwn(next);
    setFresh(output);
    bridge.shared.set(key, JSON.stringify([...next]));
  };
  return { isChosen: (output) => chosen.has(output), isNew: (output) => output === fresh, toggle };
}
