/** The stored versions of workflows. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { VisibleChecklist } from '#server/access/checklist-access.ts';
import { seenActivities } from '#server/features/checklists/chosen-activities-service.ts';
import { lockedChecklist, replaceChecklistActivities } from '#server/features/checklists/checklist-workflow-service.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { activitiesOf, type CatalogueDeps } from './workflow-catalogue.ts';
import { findVersion, insertVersion, type WorkflowVersionRow } from './workflows-repository.ts';

export interface SavedWorkflow {
  Id: number;
  Version: number;
}

export interface NewVersion {
  Id: number;
  /** The version that this one follows; null for the first version. */
  Version: number | null;
  Graph: WorkflowGraph;
  ChangeDescription: string;
}

export interface WorkflowVersions {
  /** Returns a workflow that the person may see. Throws an AppError 404 for anything else. */
  require(person: Person, id: number): Promise<VisibleChecklist & { newest: number }>;
  /**
   * Throws an AppError 403 if the person neither edits the workflow nor may see all of the activities of its steps,
   * because steps reveal what these activities ask for, and who approves what.
   */
  requireSteps(person: Person, workflow: VisibleChecklist, activityIds: readonly number[]): Promise<void>;
  /** Throws an AppError 404 if there is no such version, and 403 if the person may not see its steps. */
  read(
    person: Person,
    workflow: VisibleChecklist,
    version: number,
  ): Promise<WorkflowVersionRow & { graph: WorkflowGraph }>;
  /** Throws an AppError 409 if another version already follows that one. */
  add(person: Person, version: NewVersion): Promise<SavedWorkflow>;
}

const CHANGED_MEANWHILE =
  'Another user saved this workflow after you opened it, so your changes were not saved. Open it again to see the current version';

export const workflowChanged = (): AppError => new AppError('workflowChanged', 409, CHANGED_MEANWHILE);

const STEPS_HIDDEN =
  'You can see the steps of this workflow if you may edit it, or run all of its activities. Ask an administrator for the right.';

export function createWorkflowVersions({
  database,
  access,
}: Pick<CatalogueDeps, 'database' | 'access'>): WorkflowVersions {
  const { knex, dialect } = database;
  const requireSteps: WorkflowVersions['requireSteps'] = async (person, workflow, ids) => {
    const seen = workflow.CanEdit ? null : await seenActivities(knex, access, person, workflow, ids);
    if (seen && seen.size < ids.length) throw new AppError('stepsHidden', 403, STEPS_HIDDEN);
  };
  return {
    requireSteps,
    require: async (person, id) => {
      const visible = await access.require(knex, person, id);
      const newest = visible.checklist.WorkflowVersion;
      if (newest === null) throw new AppError('workflowNotFound', 404, 'There is no such workflow');
      return { ...visible, newest };
    },
    read: async (person, workflow, version) => {
      const row = await findVersion(knex, workflow.checklist.Id, version);
      if (!row) throw new AppError('versionNotFound', 404, 'There is no such version');
      const graph = JSON.parse(row.Graph) as WorkflowGraph;
      await requireSteps(person, workflow, activitiesOf(graph));
      return { ...row, graph };
    },
    add: (person, { Id, Version: before, Graph, ChangeDescription }) =>
      inTransaction(knex, async (trx: Knex.Transaction) => {
        const current = await lockedChecklist(trx, Id);
        if (current.WorkflowVersion !== before) throw workflowChanged();
        const Version = (before ?? 0) + 1;
        const row = {
          ChecklistId: Id,
          Version,
          Graph: JSON.stringify(Graph),
          ChangeDescription,
          UserId: person.UserId,
        };
        await insertVersion(trx, row, dialect.now(trx));
        await replaceChecklistActivities(trx, Id, activitiesOf(Graph));
        return { Id, Version };
      }),
  };
}
