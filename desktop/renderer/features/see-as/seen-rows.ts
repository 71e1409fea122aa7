/** The activities, checklists and workflows that a person sees, with the actions that their menus offer. */
import type { SeenActivity, SeenChecklist, SeenPortal } from '#shared/contract/see-as.ts';
import { activityMenu } from '#renderer/features/activities/activity-menu.tsx';
import { checklistMenu } from '#renderer/features/checklists/checklist-menu.tsx';
import { compareNames } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { plainRight } from '#renderer/features/security/right-name.ts';

export interface SeenRow {
  name: string;
  kind: string;
  schema: string;
  actions: string[];
  /** Null for checklists and workflows, for which no reasons are listed. */
  activityId: number | null;
}

export const seenRows = ({ Activities, Checklists }: SeenPortal): SeenRow[] =>
  [...Activities.map(activityRow), ...Checklists.map(checklistRow)].toSorted((a, b) => compareNames(a.name, b.name));

/** Stands for a run in menus that are only read. */
const SOME_RUN = 1;

function activityRow(activity: SeenActivity): SeenRow {
  const { Id, Name, Schema, IsActive, CanShare, HasRun, Rights } = activity;
  const menu = activityMenu({ ...activity, LastRunId: HasRun ? SOME_RUN : null });
  const actions = [...textsOf(menu), ...(CanShare ? [t('Share')] : []), ...Rights.map(plainRight)];
  const kind = IsActive ? t('Activity') : t('Not active');
  return { name: Name, kind, schema: Schema, actions, activityId: Id };
}

function checklistRow(checklist: SeenChecklist): SeenRow {
  const { Name, Schema, IsWorkflow, HasRun } = checklist;
  const ofRun = { LastRunId: HasRun ? SOME_RUN : null, IsLastRunWorkflow: IsWorkflow };
  const actions = textsOf(checklistMenu({ ...checklist, ...ofRun }, 'Run'));
  return { name: Name, kind: IsWorkflow ? t('Workflow') : t('Checklist'), schema: Schema, actions, activityId: null };
}

const textsOf = (menu: readonly MenuEntry[]): string[] => menu.map(({ text }) => text);
