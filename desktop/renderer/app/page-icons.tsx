import {
  Add,
  Application,
  Badge,
  Changes,
  Endorsed,
  GridView,
  History,
  Key,
  NewPerson,
  People,
  Person,
  Play,
  Shield,
  Th,
  ThList,
  TimelineEvents,
  Trash,
} from '@blueprintjs/icons';
import type { PortalPage } from './pages.ts';

const ICONS = {
  activities: GridView,
  approvals: Endorsed,
  running: Play,
  history: History,
  versions: Changes,
  purge: Trash,
  tableViews: ThList,
  new: Add,
  key: Key,
  users: Person,
  newUser: NewPerson,
  roles: People,
  rights: Shield,
  matrix: Th,
  actions: TimelineEvents,
  license: Badge,
  plugin: Application,
} as const;

export function PageIcon({ icon }: { icon: PortalPage['icon'] }) {
  const Icon = ICONS[icon];
  return <Icon />;
}
