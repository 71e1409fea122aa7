import { Changes, Edit, History, Play, Time } from '@blueprintjs/icons';
import type { ActivityType } from '#shared/contract/activities.ts';
import { t } from '#renderer/language/translate.ts';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';

export interface MenuActivity {
  Id: number;
  Type: ActivityType;
  CanRun: boolean;
  CanEdit: boolean;
  /** Null if the activity never ran. */
  LastRunId: number | null;
}

type Entry = 'run' | 'lastRun' | 'runs' | 'versions' | 'edit';

/** Menu of an activity. Pages omit the entry that leads to themselves. */
export function activityMenu(activity: MenuActivity, leaveOut: Entry[] = []): MenuEntry[] {
  const { Id, Type, CanRun, CanEdit, LastRunId } = activity;
  const entries: [Entry, boolean, MenuEntry][] = [
    ['run', CanRun, { text: t('Run Now'), icon: <Play />, to: `/activities/run/${Id}/` }],
    [
      'lastRun',
      LastRunId !== null,
      { text: t('View Last Run'), icon: <Time />, to: `/activities/runstatus/${LastRunId}/` },
    ],
    ['runs', true, { text: t('View All Runs'), icon: <History />, to: `/activities/runhistory/${Id}` }],
    [
      'versions',
      Type === 'Workbook',
      { text: t('View All Versions'), icon: <Changes />, to: `/activities/versions/${Id}` },
    ],
    ['edit', CanEdit, { text: t('Edit'), icon: <Edit />, to: `/activities/edit/${Id}/` }],
  ];
  return entries.filter(([name, isShown]) => isShown && !leaveOut.includes(name)).map(([, , entry]) => entry);
}
