/**
 * Advances workflows: immediately if a step ended in this process, and by polling for ends that this process did not
 * see.
 */
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { attendToDue } from '#server/workflows/approvals/due-approvals.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { advanceWorkflowRun, type AdvanceContext } from './advance-workflow-run.ts';
import { createAdvancingEngine, type AdvancingEngine } from './advancing-engine.ts';
import type { WorkflowContext } from './workflow-context.ts';
import { createHeadReader } from './workflow-run-heads.ts';

export function createWorkflowEngine(deps: WorkflowContext): AdvancingEngine {
  const context: AdvanceContext = { ...deps, readHead: createHeadReader() };
  const { database, signals, log } = deps;
  return createAdvancingEngine({
    advance: (id) => advanceWorkflowRun(context, id),
    listPending: (after, limit) => listPendingWorkflowRuns(database.knex, after, limit),
    prepare: (signal) => attendToDue(deps, signal),
    onEnded: (listener) => signals.onStepEnded(listener),
    log,
    failure: { field: 'checklistRun', text: 'a checklist or workflow could not go on; it is tried again' },
    sweepFailure: 'pending checklists and workflows could not be looked for',
  });
}

async function listPendingWorkflowRuns(db: Db, after: number, limit: number): Promise<number[]> {
  return whereStatus(db('ChecklistRuns'), PENDING_STATUSES)
    .where('Id', '>', after)
    .orderBy('Id')
    .limit(limit)
    .pluck<number[]>('Id');
}
