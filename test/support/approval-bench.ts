/** Approvals in workflows and users who decide them, based on the workflow bench. */
import type { Database } from '#server/db/database.ts';
import { decideApproval, type Decided } from '#server/workflows/approvals/decide-approval.ts';
import { cancelWorkflowRun } from '#server/workflows/cancel-workflow-run.ts';
import { resumeWorkflowRun } from '#server/workflows/resume-workflow-run.ts';
import type { ApprovalStep, WorkflowEdge } from '#shared/rules/workflows/types.ts';
import type { WorkflowBench } from './workflow-bench.ts';
import { insertUser } from './runs.ts';
import { until } from './until.ts';
import type { WorkerBench } from './worker-bench.ts';

export const APPROVERS = 'Approvers';

type People = Record<'ada' | 'bob' | 'eve', number>;

export async function insertPeople({ knex }: Database): Promise<People> {
  return { ada: await insertUser(knex), bob: await insertUser(knex), eve: await insertUser(knex) };
}

/** Ada and Bob have the role, Eve does not. */
export async function assignRole({ knex }: Database, { ada, bob }: People): Promise<void> {
  await knex('RoleUsers').delete();
  await knex('Roles').delete();
  await knex('Roles').insert({ Name: APPROVERS, IsActive: true });
  await knex('Users').update({ Enabled: true });
  await knex('RoleUsers').insert([ada, bob].map((UserId) => ({ RoleName: APPROVERS, UserId })));
}

export function createApprovalBench(bench: WorkerBench, workflows: WorkflowBench, people: People) {
  /** An approval by the role, not by the user who started the workflow, and without expiry. */
  function approval(
    Key: string,
    after: readonly (string | WorkflowEdge)[],
    more: Partial<ApprovalStep> = {},
  ): ApprovalStep {
    return {
      Kind: 'Approval',
      Key,
      Name: Key,
      After: after.map((edge) => (typeof edge === 'string' ? { Step: edge, When: 'success' as const } : edge)),
      Join: 'AllSucceeded',
      OnFailure: 'Stop',
      Roles: [APPROVERS],
      UserIds: [],
      Needed: 1,
      StarterMayApprove: false,
      Text: 'Is it right?',
      Values: [],
      ExpiresAfterHours: null,
      OnExpiry: 'Fail',
      ...more,
    };
  }

  const rowOf = (ChecklistRunId: number, StepKey: string) =>
    bench.database.knex('Approvals').where({ ChecklistRunId, StepKey }).first();

  /** Returns the approval of a step as soon as users are asked. */
  const asked = (workflowRunId: number, key: string) => until(`${key} is asked for`, () => rowOf(workflowRunId, key));

  const decide = (
    ApprovalId: number,
    UserId: number,
    more: { Approved?: boolean; Comment?: string; database?: Database } = {},
  ): Promise<Decided> => {
    const { Approved = true, Comment = '', database = bench.database } = more;
    const decision = { ApprovalId, UserId, UserFullName: `user ${UserId}`, Approved, Comment };
    return decideApproval(database, bench.signals, decision, async () => {});
  };

  /** Makes an approval look expired, or old enough for a reminder. */
  const age = (Id: number, column: 'ExpiryTime' | 'RemindTime') =>
    bench.database
      .knex('Approvals')
      .where({ Id })
      .update({ [column]: new Date(Date.now() - 60_000) });

  const log = (ChecklistRunId: number): Promise<string[]> =>
    bench.database.knex('ChecklistRunLogEntries').where({ ChecklistRunId }).orderBy('Id').pluck('Message');

  return {
    ...workflows,
    people,
    approval,
    rowOf,
    asked,
    decide,
    age,
    log,
    cancel: (id: number) => cancelWorkflowRun(bench.database, bench.signals, id),
    resume: async (id: number, UserId?: number): Promise<number> => {
      const by = { UserId: UserId ?? (await workflows.stored(id)).UserId, UniqueId: null };
      return (await resumeWorkflowRun(bench.database, bench.signals, id, by)).Id;
    },
    mails: (ApprovalId: number) =>
      bench.database.knex('ApprovalMails').where({ ApprovalId }).orderBy('Id').select('Kind', 'UserId'),
  };
}
