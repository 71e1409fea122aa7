import { Changes, Duplicate, Edit, Flows, History, Play, Time } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';

export interface MenuChecklist {
  Id: number;
  CanRun: boolean;
  CanEdit: boolean;
  IsWorkflow: boolean;
  /** Null if the checklist never ran. */
  LastRunId: number | null;
  IsLastRunWorkflow: boolean;
}

type Entry = 'run' | 'lastRun' | 'runs' | 'edit' | 'workflow' | 'copy' | 'versions';

/** Path of the status page for a run of a checklist or workflow. */
export const runStatusPath = (runId: number, isWorkflow: boolean): string =>
  `/${isWorkflow ? 'workflows' : 'checklists'}/runstatus/${runId}/`;

/**
 * Path of the page that runs a step of an ended run again, with the steps after it. Without a step, it runs again what
 * did not succeed and what other inputs change.
 */
export function runAgainPath(runId: number, isWorkflow: boolean, stepKey?: string, rowKey?: string): string {
  const path = `${runStatusPath(runId, isWorkflow)}again/`;
  if (stepKey === undefined) return path;
  const row = rowKey === undefined ? '' : `?${new URLSearchParams({ row: rowKey })}`;
  return `${path}${encodeURIComponent(stepKey)}/${row}`;
}

export const runPath = (id: number, isWorkflow: boolean): string =>
  `/${isWorkflow ? 'workflows' : 'checklists'}/run/${id}/`;

export const workflowPath = (id: number): string => `/workflows/edit/${id}/`;

export const workflowVersionsPath = (id: number): string => `/workflows/versions/${id}/`;

/** Menu of a checklist. Pages omit the entry that leads to themselves. */
export function checklistMenu(
  checklist: MenuChecklist,
  runText: 'Run' | 'Run Now',
  leaveOut: Entry[] = [],
): MenuEntry[] {
  const { Id, CanRun, CanEdit, IsWorkflow, LastRunId, IsLastRunWorkflow } = checklist;
  const entries: [Entry, boolean, MenuEntry][] = [
    ['run', CanRun, { text: runText === 'Run' ? t('Run') : t('Run Now'), icon: <Play />, to: runPath(Id, IsWorkflow) }],
    [
      'lastRun',
      LastRunId !== null,
      { text: t('View Last Run'), icon: <Time />, to: runStatusPath(LastRunId ?? 0, IsLastRunWorkflow) },
    ],
    ['runs', true, { text: t('View All Runs'), icon: <History />, to: `/checklists/runhistory/${Id}/` }],
    ['edit', CanEdit, { text: t('Edit'), icon: <Edit />, to: `/checklists/edit/${Id}/` }],
    [
      'workflow',
      CanEdit,
      { text: IsWorkflow ? t('Edit workflow') : t('Edit as workflow'), icon: <Flows />, to: workflowPath(Id) },
    ],
    [
      'copy',
      CanEdit,
      {
        text: IsWorkflow ? t('Duplicate workflow') : t('Duplicate as workflow'),
        icon: <Duplicate />,
        to: `/workflows/new?from=${Id}`,
      },
    ],
    ['versions', IsWorkflow, { text: t('View All Versions'), icon: <Changes />, to: workflowVersionsPath(Id) }],
  ];
  return entries.filter(([name, isOffered]) => isOffered && !leaveOut.includes(name)).map(([, , entry]) => entry);
}
