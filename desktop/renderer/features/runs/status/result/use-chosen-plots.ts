import { useState } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { readChosenPlots } from './chosen-plots.ts';

/** The plots that the user chose for an activity, by the names of its outputs. */
export interface ChosenPlots {
  isChosen: (output: string) => boolean;
  /** True if it was chosen since the page was opened. */
  isNew: (output: string) => boolean;
  toggle: (output: string) => void;
}

/** Stores the choice in this browser, so that each run of the activity shows the same plots. */
export function useChosenPlots(activityId: number): ChosenPlots {
  const key = `plots.${activityId}`;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => readChosenPlots(bridge.shared.get(key)));
  const [fresh, setFresh] = useState<ReadonlySet<string>>(() => new Set());
  const toggle = (output: string): void => {
    const next = new Set(chosen);
    if (!next.delete(output)) next.add(output);
    setChosen(next);
    setFresh(new Set([output]));
    bridge.shared.set(key, next.size > 0 ? JSON.stringify([...next]) : null);
  };
  return { isChosen: (output) => chosen.has(output), isNew: (output) => fresh.has(output), toggle };
}
