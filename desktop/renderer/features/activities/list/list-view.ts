/** Whether activities are a table or tiles: what was chosen is remembered. */
import { create } from 'zustand';
import { bridge } from '#renderer/api/bridge.ts';

export type ListView = 'table' | 'tiles';

/** Where there are more activities, tiles are too many to look over. */
const TILES_UP_TO = 30;
const KEY = 'activities.view';

function read(): ListView | null {
  const kept = bridge.shared.get(KEY);
  return kept === 'table' || kept === 'tiles' ? kept : null;
}

const useKept = create<{ view: ListView | null }>(() => ({ view: read() }));

export function chooseView(view: ListView): void {
  bridge.shared.set(KEY, view);
  useKept.setState({ view });
}

/** What was chosen, or what suits so many activities. */
export function useListView(activities: number): ListView {
  const { view } = useKept();
  return view ?? (activities > TILES_UP_TO ? 'table' : 'tiles');
}
