/** The keyboard shortcuts of the components on the page, for the dialog that lists them. */
import { useEffect } from 'react';
import { create } from 'zustand';

export interface KeyGroup {
  /** The component: 'Tables'. */
  title: string;
  keys: readonly { keys: string; does: string }[];
}

/** Each group with the number of mounted components that use it. */
const useGroups = create<{ shown: ReadonlyMap<KeyGroup, number> }>(() => ({ shown: new Map() }));

function count(group: KeyGroup, by: 1 | -1): void {
  useGroups.setState(({ shown }) => {
    const next = (shown.get(group) ?? 0) + by;
    const others = [...shown].filter(([other]) => other !== group);
    return { shown: new Map(next > 0 ? [...others, [group, next]] : others) };
  });
}

/**
 * Lists the group's keys while the component is mounted. @param group the same object for all such components; null for
 * none
 */
export function useKeys(group: KeyGroup | null): void {
  useEffect(() => {
    if (!group) return undefined;
    count(group, 1);
    return () => count(group, -1);
  }, [group]);
}

export const usePageKeys = (): KeyGroup[] => [...useGroups(({ shown }) => shown).keys()];
