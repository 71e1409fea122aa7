import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { RightsService } from './rights/rights-service.ts';
import { hasSucceeded, isPending } from '#shared/contract/run-status.ts';
import type { ChecklistAccess, VisibleChecklist } from './checklist-access.ts';
import { findWorkflowRun, type NamedWorkflowRunRow } from './find-workflow-run.ts';

/** A run of a checklist that a person may see, with what they may do with it. */
export interface VisibleWorkflowRun {
  run: NamedWorkflowRunRow;
  visible: VisibleChecklist;
  CanCancel: boolean;
  CanPurge: boolean;
  CanResume: boolean;
}

export interface ChecklistRunAccess {
  /** Throws an AppError 404 if there is no such run or the person may not see it. */
  require(person: Person, runId: number): Promise<VisibleWorkflowRun>;
}

const workflowRunNotFound = (): AppError => new AppError('runNotFound', 404, 'There is no such run');

export function createChecklistRunAccess(
  { knex }: Pick<Database, 'knex'>,
  rights: RightsService,
  access: ChecklistAccess,
): ChecklistRunAccess {
  return {
    require: async (person, runId) => {
      const run = await findWorkflowRun(knex, runId);
      if (!run) throw workflowRunNotFound();
      const visible = await access.require(knex, person, run.ChecklistId).catch((error: unknown) => {
        throw error instanceof AppError && error.status === 404 ? workflowRunNotFound() : error;
      });
      const isOwn = run.UserId === person.UserId;
      if (!isOwn && !visible.CanViewRuns) throw workflowRunNotFound();
      const keys = { Schema: visible.checklist.Schema };
      const [cancelAny, CanPurge] = await Promise.all([
        rights.has(person, 'sk.CancelAnyRun', keys),
        rights.has(person, 'sk.PurgeRuns', keys),
      ]);
      const isOver = !isPending(run.Status);
      return {
        run,
        visible,
        CanCancel: !isOver && (isOwn || cancelAny),
        CanPurge: CanPurge && isOver,
        CanResume: isOver && !hasSucceeded(run.Status) && visible.CanRun,
      };
    },
  };
}
