import {
  Add,
  Application,
  Badge,
  Calendar,
  Changes,
  Dashboard,
  Desktop,
  Endorsed,
  GridView,
  History,
  Inbox,
  Key,
  MobilePhone,
  NewPerson,
  Notifications,
  Offline,
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
  schedules: Calendar,
  notifications: Notifications,
  sessions: Desktop,
  secondFactor: MobilePhone,
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
  system: Dashboard,
  offline: Offline,
  outbox: Inbox,
  plugin: Application,
} as const;

export function PageIcon({ icon }: { icon: PortalPage['icon'] }) {
  const Icon = ICONS[icon];
  return <Icon />;
}
