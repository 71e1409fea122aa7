/** A cache of the parts of a workflow run that every advance needs: its user and the plan it was started with. */
import type { Knex } from 'knex';
import type { ChecklistRunsRow } from '#server/db/tables.ts';
import type { WorkflowPlan } from '#shared/rules/workflows/types.ts';
import { createPlanReader } from './workflow-plans.ts';

export type WorkflowRunRow = Pick<
  ChecklistRunsRow,
  'Id' | 'PlanId' | 'UserId' | 'Status' | 'EndTime' | 'CancelTime' | 'ResumeOf'
>;

export const WORKFLOW_RUN_COLUMNS = ['Id', 'PlanId', 'UserId', 'Status', 'EndTime', 'CancelTime', 'ResumeOf'];

export interface WorkflowRunHead {
  /** The row as of the read. Whether the run has ended or was cancelled since is checked again under the lock. */
  workflowRun: WorkflowRunRow;
  plan: WorkflowPlan;
}

/** Returns undefined if the run does not exist or has ended. */
export type ReadHead = (db: Knex, workflowRunId: number) => Promise<WorkflowRunHead | undefined>;

const CACHED_HEADS = 200;

export function createHeadReader(): ReadHead {
  const readPlan = createPlanReader();
  // In order of last use.
  const cache = new Map<number, WorkflowRunHead>();
  return async (db, workflowRunId) => {
    const head = cache.get(workflowRunId) ?? (await readHead(db, workflowRunId, readPlan));
    cache.delete(workflowRunId);
    if (head) cache.set(workflowRunId, head);
    if (cache.size > CACHED_HEADS) cache.delete(cache.keys().next().value!);
    return head;
  };
}

async function readHead(
  db: Knex,
  workflowRunId: number,
  readPlan: ReturnType<typeof createPlanReader>,
): Promise<WorkflowRunHead | undefined> {
  const workflowRun = await db('ChecklistRuns')
    .where('Id', workflowRunId)
    .first<WorkflowRunRow | undefined>(WORKFLOW_RUN_COLUMNS);
  if (!workflowRun || workflowRun.EndTime) return undefined;
  return { workflowRun, plan: await readPlan(db, workflowRun.PlanId) };
}
