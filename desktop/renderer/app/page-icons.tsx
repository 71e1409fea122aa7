import { Add, Changes, GridView, History, Key, Play } from '@blueprintjs/icons';
import type { PortalPage } from './pages.ts';

const ICONS = {
  activities: GridView,
  running: Play,
  history: History,
  versions: Changes,
  new: Add,
  key: Key,
} as const;

export function PageIcon({ icon }: { icon: PortalPage['icon'] }) {
  const Icon = ICONS[icon];
  return <Icon />;
}
