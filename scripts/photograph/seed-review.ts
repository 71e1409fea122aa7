/**
 * A workflow with all kinds of steps, and two runs of it: one with failed rows and a refused approval, and one that
 * waits for users.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Activity } from '#shared/contract/activities.ts';
import type { ApprovalItem } from '#shared/contract/approvals.ts';
import type { ChecklistStatus } from '#shared/contract/checklist-runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import type { ValueSource } from '#shared/rules/workflows/types.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import type { BenchPortal } from '../bench/portal.ts';

const ADMINISTRATOR = 1;
const POLL_INTERVAL_MS = 100;
const WAIT_MS = 120_000;

export interface ReviewSeed {
  review: number;
  /** Runs of the workflow: one that was refused after some rows had failed, and one that waits for users. */
  refusedReview: number;
  waitingReview: number;
  /** The approval that the waiting run asks for. */
  reviewApproval: number;
}

/** A workbook that fails for positions above a limit. */
const LIMITS: WorkbookSpec = {
  formats: ['#,##0.00'],
  sheets: [
    {
      name: 'Limit',
      cells: {
        A1: 'Position 1',
        A2: { value: 10, style: 1 },
        B1: { formula: 'A2/40', value: 0.25 },
        B2: { formula: 'A2<=40', value: true },
      },
    },
    stepSheet([{ Step: 'Limit', Action: 'Check', Cell: 'Limit!B2', Message: 'The position is above its limit of 40' }]),
  ],
  names: { in_Position: 'Limit!$A$1', in_Value: 'Limit!$A$2', out_Share: 'Limit!$B$1' },
};

const LINES = [
  ['Position 1', 4, 2.5],
  ['Position 2', 6, 5],
  ['Position 3', 7, 7.5],
  ['Position 4', 8, 10],
  ['Position 5', 2, 12.5],
  ['Position 6', 1, 15],
  ['Position 7', 1, 17.5],
  ['Position 8', 2, 20],
];

/** @param busy activities of which the first three calculate balances, accruals and depreciations */
export async function addReview(portal: BenchPortal, busy: readonly Activity[]): Promise<ReviewSeed> {
  const [balance, accruals, depreciation] = busy as [Activity, Activity, Activity];
  const limits = await uploadLimits(portal, balance.Schema);
  const review = await makeChecklist(portal, accruals);
  await portal.call('POST', '/api/workflows/create', { ChecklistId: review });
  const graph = reviewOf({ balance, accruals, depreciation, limits });
  await portal.call('POST', '/api/workflows/update', { Id: review, Version: 1, Graph: graph });
  const refusedReview = await startReview(portal, review);
  const refused = await approvalOf(portal, refusedReview);
  const body = { Approved: false, Comment: 'Positions 3 and 4 have to be explained first' };
  await portal.call('POST', `/api/approvals/decide/${refused}`, body);
  await untilEnded(portal, refusedReview);
  const waitingReview = await startReview(portal, review);
  return { review, refusedReview, waitingReview, reviewApproval: await approvalOf(portal, waitingReview) };
}

async function uploadLimits(portal: BenchPortal, Schema: string): Promise<Activity> {
  const fields = { Id: '0', Name: 'Limit of a position', Schema, Group: 'Closing', SingleRun: 'false' };
  const { Id } = await portal.upload(fields, 'Limits.xlsx', await buildWorkbook(LIMITS));
  return portal.call<Activity>('GET', `/api/activities/details/${Id}`);
}

async function makeChecklist(portal: BenchPortal, { Id, Schema, Inputs }: Activity): Promise<number> {
  const body = {
    Id: 0,
    Name: 'Quarterly review',
    Description: 'What is done before the books are closed',
    Schema,
    Group: 'Closing',
    Activities: [{ Id }],
    Inputs: Inputs.map((one) => ({ InputName: one.Name, ActivityInputs: [{ Id: one.Id }] })),
  };
  return (await portal.call<{ Id: number }>('POST', '/api/checklists/create', body)).Id;
}

const input = (Name: string): ValueSource => ({ Kind: 'Input', Name });
const output = (Step: string, Name: string): ValueSource => ({ Kind: 'Output', Step, Name });
const after = (...steps: [Step: string, When: WorkflowStepData['After'][number]['When']][]) => ({
  After: steps.map(([Step, When]) => ({ Step, When })),
  Join: 'AllSucceeded' as const,
  OnFailure: 'Stop' as const,
});
const mapped = (from: Record<string, ValueSource>) => Object.entries(from).map(([Input, From]) => ({ Input, From }));

interface Reviewed {
  balance: Activity;
  accruals: Activity;
  depreciation: Activity;
  limits: Activity;
}

/** A graph with all kinds of steps, with branches that join again. */
function reviewOf({ balance, accruals, depreciation, limits }: Reviewed): WorkflowGraphData {
  const steps = [
    {
      Kind: 'Activity',
      Key: 'accruals',
      Name: 'Collect accruals',
      ...after(),
      ActivityId: accruals.Id,
      Inputs: mapped({ Lines: input('Lines') }),
      MayRepeat: true,
    },
    {
      Kind: 'Decision',
      Key: 'much',
      Name: 'Is it much?',
      ...after(['accruals', 'success']),
      Condition: 'Sum > 100',
      Values: [{ Name: 'Sum', From: output('accruals', 'Sum') }],
    },
    {
      Kind: 'ForEach',
      Key: 'limits',
      Name: 'Check each position',
      ...after(['much', 'yes']),
      OnFailure: 'Handled',
      ActivityId: limits.Id,
      Inputs: mapped({ Position: { Kind: 'Column', Name: 'Item' }, Value: { Kind: 'Column', Name: 'Value' } }),
      Rows: output('accruals', 'Values'),
      KeyColumn: 'Item',
      AtOnce: 4,
      StopAfterFailures: null,
      MayRepeat: true,
    },
    {
      Kind: 'Activity',
      Key: 'balance',
      Name: 'Balance the rest',
      ...after(['accruals', 'success']),
      ActivityId: balance.Id,
      Inputs: mapped({ Amount: output('accruals', 'Sum'), Rate: input('Rate') }),
    },
    {
      Kind: 'Approval',
      Key: 'approve',
      Name: 'Approve what is above its limit',
      ...after(['limits', 'failure'], ['balance', 'success']),
      Roles: ['Controlling Berlin'],
      UserIds: [ADMINISTRATOR],
      Needed: 1,
      StarterMayApprove: true,
      Text: 'Some positions are above their limits. Are they to be carried into the next quarter?',
      Values: [
        { Name: 'Sum', From: output('accruals', 'Sum') },
        { Name: 'Positions', From: output('limits', 'Rows') },
      ],
      ExpiresAfterHours: 48,
      OnExpiry: 'Fail',
    },
    {
      Kind: 'Activity',
      Key: 'depreciation',
      Name: 'Depreciate',
      ...after(['approve', 'success'], ['much', 'no']),
      ActivityId: depreciation.Id,
      Inputs: mapped({
        Scenario: input('Scenario'),
        'As of': input('As of'),
        'With Reserve': input('With Reserve'),
        Exposure: output('balance', 'Total'),
      }),
    },
  ] as WorkflowStepData[];
  return { Inputs: ['Lines', 'Rate', 'Scenario', 'As of', 'With Reserve'].map((Name) => ({ Name })), Steps: steps };
}

async function startReview(portal: BenchPortal, ChecklistId: number): Promise<number> {
  const values = { Lines: LINES, Rate: 0.03, Scenario: 'Base', 'As of': 46_022, 'With Reserve': true };
  const Inputs = Object.entries(values).map(([ChecklistInputName, value]) => ({
    ChecklistInputName,
    Value: JSON.stringify(value),
  }));
  const body = { ChecklistId, WorkflowId: ChecklistId, Inputs };
  return (await portal.call<{ Id: number }>('POST', '/api/checklists/start', body)).Id;
}

async function approvalOf(portal: BenchPortal, runId: number): Promise<number> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(POLL_INTERVAL_MS)) {
    const { Items } = await portal.call<{ Items: ApprovalItem[] }>('GET', '/api/approvals?Show=waiting');
    const found = Items.find(({ ChecklistRunId }) => ChecklistRunId === runId);
    if (found) return found.Id;
  }
  throw new Error(`run ${runId} of the review has reached no approval`);
}

async function untilEnded(portal: BenchPortal, runId: number): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(POLL_INTERVAL_MS)) {
    const { Checklist } = await portal.call<ChecklistStatus>('GET', `/api/checklists/status/workflow/${runId}`);
    if (!isPending(Checklist.Status)) return;
  }
  throw new Error(`run ${runId} of the review has not ended`);
}
