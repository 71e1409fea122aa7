import { Add, Application, Cog, GridView, HeatGrid, Play, Repeat, ThList } from '@blueprintjs/icons';
import type { MenuSectionName } from './portal-page.ts';

/** Apart from the icons of the pages, which only the palette and the page Administration need. */
const ICONS = {
  activities: GridView,
  runs: Play,
  automation: Repeat,
  dashboards: HeatGrid,
  data: ThList,
  new: Add,
  plugins: Application,
  administration: Cog,
} as const satisfies Record<MenuSectionName, unknown>;

export function SectionIcon({ name }: { name: MenuSectionName }) {
  const Icon = ICONS[name];
  return <Icon />;
}
