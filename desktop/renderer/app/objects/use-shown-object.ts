import { useQuery } from '@tanstack/react-query';
import { listActivities, type ActivityListItem } from '#shared/contract/activities.ts';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { listTableViews, type TableViewItem } from '#shared/contract/tableviews.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { runPath, runStatusPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { t } from '#renderer/language/translate.ts';
import { useRight } from '../profile.ts';
import type { ObjectAddress } from './object-address.ts';
import type { TabbedObject } from './object-tabs.ts';

/** What the header says of an object. */
export interface ShownObject extends TabbedObject {
  name: string;
  /** The schema, and for a table view the connection. */
  schema: string;
  isActive: boolean;
  lastRun: { path: string; status: RunStatus } | null;
  /** Path of its form; null if the user may not run it. */
  form: string | null;
}

/** Long enough for the tabs of one object, which share the list. */
const FRESH = 15_000;

/** Returns the query for what the header says of an object; its data is null if the object is not listed. */
export function useShownObject({ kind, id }: ObjectAddress) {
  const canManage = useRight('sk.ManageTableViews') === true;
  const isView = kind === 'tableView';
  const listed = useQuery({
    ...queryOf(listActivities),
    staleTime: FRESH,
    enabled: !isView,
    select: ({ Activities, Checklists }): ShownObject | null => {
      const isIt = ({ Id }: { Id: number }): boolean => Id === id;
      const activity = kind === 'activity' ? Activities.find(isIt) : undefined;
      const checklist = kind === 'checklist' ? Checklists.find(isIt) : undefined;
      return activity ? ofActivity(activity) : checklist ? ofChecklist(checklist) : null;
    },
  });
  const views = useQuery({
    ...queryOf(listTableViews),
    staleTime: FRESH,
    enabled: isView,
    select: ({ Items }): ShownObject | null => {
      const view = Items.find(({ Id }) => Id === id);
      return view ? ofView(view, canManage) : null;
    },
  });
  return isView ? views : listed;
}

function ofActivity({ Id, Name, Schema, Type, IsActive, CanEdit, CanRun, LastRun }: ActivityListItem): ShownObject {
  return {
    kind: 'activity',
    id: Id,
    name: Name,
    schema: Schema,
    type: Type,
    isWorkflow: false,
    isActive: IsActive,
    canRun: CanRun,
    canEdit: CanEdit,
    lastRun: LastRun && { path: `/activities/runstatus/${LastRun.Id}/`, status: LastRun.Status },
    form: CanRun ? `/activities/run/${Id}/` : null,
  };
}

function ofChecklist(item: ChecklistListItem): ShownObject {
  const { Id, Name, Schema, IsWorkflow, CanEdit, CanRun, LastRunId, LastRunStatus, IsLastRunWorkflow } = item;
  return {
    kind: 'checklist',
    id: Id,
    name: Name,
    schema: Schema,
    type: null,
    isWorkflow: IsWorkflow,
    isActive: true,
    canRun: CanRun,
    canEdit: CanEdit,
    lastRun:
      LastRunId !== null && LastRunStatus !== null
        ? { path: runStatusPath(LastRunId, IsLastRunWorkflow), status: LastRunStatus }
        : null,
    form: CanRun ? runPath(Id, IsWorkflow) : null,
  };
}

function ofView({ Id, ViewName, TableName, ConnectionName }: TableViewItem, canEdit: boolean): ShownObject {
  return {
    kind: 'tableView',
    id: Id,
    name: t('{viewName} on {tableName}', { viewName: ViewName, tableName: TableName }),
    schema: ConnectionName,
    type: null,
    isWorkflow: false,
    isActive: true,
    canRun: true,
    canEdit,
    lastRun: null,
    form: null,
  };
}
