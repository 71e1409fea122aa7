/** The keys that what is on the page listens to, for the dialog that lists them. */
import { useEffect } from 'react';
import { create } from 'zustand';

export interface KeyGroup {
  /** What listens: 'Tables'. */
  title: string;
  keys: readonly { keys: string; does: string }[];
}

/** Each group with how many parts of the page have it. */
const useGroups = create<{ shown: ReadonlyMap<KeyGroup, number> }>(() => ({ shown: new Map() }));

function count(group: KeyGroup, by: 1 | -1): void {
  useGroups.setState(({ shown }) => {
    const next = (shown.get(group) ?? 0) + by;
    const others = [...shown].filter(([other]) => other !== group);
    return { shown: new Map(next > 0 ? [...others, [group, next]] : others) };
  });
}

/** Lists the keys as long as the part is on the page. @param group one and the same object for all such parts; null for none */
export function useKeys(group: KeyGroup | null): void {
  useEffect(() => {
    if (!group) return undefined;
    count(group, 1);
    return () => count(group, -1);
  }, [group]);
}

export const usePageKeys = (): KeyGroup[] => [...useGroups(({ shown }) => shown).keys()];
