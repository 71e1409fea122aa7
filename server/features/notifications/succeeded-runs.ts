/** Successful runs that client programs report; the bell omits runs that plainly succeeded. */
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { SUCCEEDED_RUNS_MAX, type SucceededRun, type SucceededRuns } from '#shared/contract/notifications.ts';
import { listSucceededWorkflowRuns, listSucceededRuns, type SucceededRow } from './succeeded-runs-repository.ts';

/** @param since null to get only the current time */
export type ListSucceeded = (person: Person, since: Date | null) => Promise<SucceededRuns>;

export function createListSucceeded(
  { knex, dialect }: Database,
  access: Pick<ChecklistAccess, 'scopes'>,
): ListSucceeded {
  return async (person, since) => {
    // Read before the runs: a run that ends in between is in this response and in the next.
    const { Now } = await knex.select({ Now: dialect.now(knex) }).first<{ Now: Date }>();
    const Until = Now.toISOString();
    if (since === null) return { Items: [], Until };
    const search = { userId: person.UserId, scopes: await access.scopes(person), since };
    const runs = await listSucceededRuns(knex, dialect, search);
    const workflowRuns = await listSucceededWorkflowRuns(knex, dialect, search);
    const all = [...runs.map((run) => itemOf(run, 'Activity')), ...workflowRuns.map((run) => itemOf(run, kindOf(run)))];
    const Items = all.toSorted((a, b) => b.EndTime.localeCompare(a.EndTime)).slice(0, SUCCEEDED_RUNS_MAX);
    return { Items, Until };
  };
}

const kindOf = ({ WorkflowVersion }: SucceededRow): SucceededRun['Kind'] =>
  WorkflowVersion === null ? 'Checklist' : 'Workflow';

const itemOf = ({ Id, Name, QueueTime, EndTime }: SucceededRow, Kind: SucceededRun['Kind']): SucceededRun => ({
  RunId: Id,
  Kind,
  Name,
  QueueTime: QueueTime.toISOString(),
  EndTime: EndTime.toISOString(),
});
