/** Shows activities as a table or as tiles, and stores the choice. */
import { create } from 'zustand';
import { bridge } from '#renderer/api/bridge.ts';

export type ListView = 'table' | 'tiles';

/** With more activities, tiles become hard to scan, so the table is the default. */
const TILES_UP_TO = 30;
const KEY = 'activities.view';

function read(): ListView | null {
  const stored = bridge.shared.get(KEY);
  return stored === 'table' || stored === 'tiles' ? stored : null;
}

const useListViewStore = create<{ view: ListView | null }>(() => ({ view: read() }));

export function chooseView(view: ListView): void {
  bridge.shared.set(KEY, view);
  useListViewStore.setState({ view });
}

/** Returns the chosen view, or the default view for this number of activities. */
export function useListView(activities: number): ListView {
  const { view } = useListViewStore();
  return view ?? (activities > TILES_UP_TO ? 'table' : 'tiles');
}
