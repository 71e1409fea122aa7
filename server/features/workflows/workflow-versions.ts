/** The stored versions of workflows. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { VisibleChecklist } from '#server/features/checklists/checklist-access.ts';
import { lockedChecklist, replaceChecklistActivities } from '#server/features/checklists/checklist-workflow.ts';
import type { ChainGraph } from '#shared/rules/chains/types.ts';
import { activitiesOf, type CatalogueDeps } from './workflow-catalogue.ts';
import { findVersion, insertVersion, type WorkflowVersionRow } from './workflows-repository.ts';

export interface SavedWorkflow {
  Id: number;
  Version: number;
}

export interface NewVersion {
  Id: number;
  /** The one it follows; null where there is none. */
  Version: number | null;
  Graph: ChainGraph;
  ChangeDescription: string;
}

export interface WorkflowVersions {
  /** A workflow that the person may see; throws an AppError 404 for anything else. */
  require(person: Person, id: number): Promise<VisibleChecklist & { newest: number }>;
  /** Throws an AppError 404 where there is no such version. */
  read(id: number, version: number): Promise<WorkflowVersionRow & { graph: ChainGraph }>;
  /** Throws an AppError 409 where another version follows that one already. */
  add(person: Person, version: NewVersion): Promise<SavedWorkflow>;
}

const CHANGED_MEANWHILE =
  'Somebody else has saved this workflow since you opened it, and nothing was saved. Open it again to see it as it is now';

export function createWorkflowVersions({
  database,
  access,
}: Pick<CatalogueDeps, 'database' | 'access'>): WorkflowVersions {
  const { knex, dialect } = database;
  return {
    require: async (person, id) => {
      const visible = await access.require(knex, person, id);
      const newest = visible.checklist.WorkflowVersion;
      if (newest === null) throw new AppError('workflowNotFound', 404, 'There is no such workflow');
      return { ...visible, newest };
    },
    read: async (id, version) => {
      const row = await findVersion(knex, id, version);
      if (!row) throw new AppError('versionNotFound', 404, 'There is no such version');
      return { ...row, graph: JSON.parse(row.Graph) as ChainGraph };
    },
    add: (person, { Id, Version: before, Graph, ChangeDescription }) =>
      inTransaction(knex, async (trx: Knex.Transaction) => {
        const current = await lockedChecklist(trx, Id);
        if (current.WorkflowVersion !== before) throw new AppError('workflowChanged', 409, CHANGED_MEANWHILE);
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
