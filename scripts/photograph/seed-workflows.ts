/**
 * Seeds what is built from activities: a checklist and the sample workflow with runs, a pending approval, a dashboard,
 * and their settings.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity } from '#shared/contract/activities.ts';
import type { Checklist } from '#shared/contract/checklists.ts';
import type { Tile } from '#shared/contract/dashboards.ts';
import { toSerial } from '#shared/codecs/serial-date.ts';
import { SAMPLES_FOLDER } from '#server/features/samples/publish-samples.ts';
import { POSITIONS } from '../samples/fx-exposure.ts';
import type { BenchPortal } from '../bench/portal.ts';

export interface WorkflowSeed {
  checklist: number;
  checklistRun: number;
  workflow: number;
  /** A run that waits for an approval. */
  workflowRun: number;
  approval: number;
  dashboard: number;
  webhook: number;
  linkage: number;
}

const WAIT_MS = 120_000;

/** @param busy activities that have runs; the first and the fifth have only numbers as inputs and outputs */
export async function addWorkflows(portal: BenchPortal, busy: readonly Activity[]): Promise<WorkflowSeed> {
  const checklist = await makeChecklist(portal, busy);
  const checklistRun = await startOf(portal, checklist, await plainInputs(portal, checklist));
  const row = (await portal.database.knex('Checklists').where({ Name: 'Monthly close' }).first('Id')) as { Id: number };
  const workflow = row.Id;
  // Another user than the one in the pictures starts the run, because users cannot approve their own runs.
  const colleague = await portal.signInAs({ right: 'sk.RunActivity', schema: 'Samples' });
  const inputs = await sampleInputs(portal, workflow, colleague);
  const workflowRun = await startOf(portal, workflow, inputs, colleague);
  return {
    checklist,
    checklistRun,
    workflow,
    workflowRun,
    approval: await openApproval(portal),
    dashboard: await makeDashboard(portal, busy),
    ...(await setUp(portal, busy)),
  };
}

async function makeChecklist(portal: BenchPortal, busy: readonly Activity[]): Promise<number> {
  // Takes activities of two different workbook kinds, because the names of their inputs must differ.
  const chosen = busy.slice(0, 2);
  const { Id } = await portal.call<{ Id: number }>('POST', '/api/checklists/create', {
    Id: 0,
    Name: 'End of the month, Berlin',
    Description: 'What the team of the closing does on the first working day',
    Schema: busy[0]!.Schema,
    Group: 'Closing',
    Activities: chosen.map((activity) => ({ Id: activity.Id })),
    Inputs: chosen.flatMap(({ Inputs }) =>
      Inputs.map((input) => ({ InputName: input.Name.slice(0, 30), ActivityInputs: [{ Id: input.Id }] })),
    ),
  });
  return Id;
}

async function plainInputs(portal: BenchPortal, checklist: number): Promise<object[]> {
  const { Inputs } = await portal.call<Checklist>('GET', `/api/checklists/details/${checklist}`);
  return Inputs.map(({ InputName, InputId, ActivityInputs }) => ({
    ChecklistInputName: InputName,
    ActivityParameterId: InputId,
    Value: ActivityInputs[0]!.Info.DefaultValue,
  }));
}

async function startOf(
  portal: BenchPortal,
  ChecklistId: number,
  Inputs: object[],
  headers = portal.headers,
): Promise<number> {
  const details = await portal.call<Checklist>('GET', `/api/checklists/details/${ChecklistId}`, undefined, headers);
  const body = { ChecklistId, WorkflowId: details.Workflow?.Id ?? null, Inputs };
  return (await portal.call<{ Id: number }>('POST', '/api/checklists/start', body, headers)).Id;
}

/** Returns the example inputs of the samples. */
async function sampleInputs(portal: BenchPortal, workflow: number, headers: BenchPortal['headers']): Promise<object[]> {
  const index = JSON.parse(await readFile(join(SAMPLES_FOLDER, 'index.json'), 'utf8')) as {
    examples: { inputs: Record<string, unknown> }[];
  }[];
  const examples = Object.assign({}, ...index.map(({ examples: [first] }) => first?.inputs)) as Record<string, unknown>;
  const day = (date: Date): number =>
    toSerial({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })!;
  const Positions = POSITIONS.map(([entity, type, currency, due, amount]) => [
    entity,
    type,
    currency,
    day(due),
    amount,
    null,
    null,
  ]);
  const values: Record<string, unknown> = {
    ...examples,
    'Loan Amount': examples['Amount'],
    'Report Date': 46_326,
    'Allowance Rate': 0.5,
    Positions,
  };
  const { Inputs } = await portal.call<Checklist>('GET', `/api/checklists/details/${workflow}`, undefined, headers);
  return Promise.all(
    Inputs.map(async ({ InputName, InputId }) => {
      const files = (values[InputName] as { files?: string[] } | null | undefined)?.files;
      const value = files
        ? await uploadFile(portal, headers, InputId, files[0]!)
        : { Value: JSON.stringify(values[InputName] ?? null) };
      return { ChecklistInputName: InputName, ActivityParameterId: InputId, ...value };
    }),
  );
}

async function uploadFile(
  { address }: BenchPortal,
  headers: BenchPortal['headers'],
  input: number,
  name: string,
): Promise<object> {
  const form = new FormData();
  form.set('ActivityInputId', String(input));
  form.set('LinkId', '');
  form.set('file', new Blob([await readFile(join(SAMPLES_FOLDER, 'files', name))]), name);
  const answer = await fetch(`${address}/api/files/upload`, { method: 'POST', headers, body: form });
  const { Items } = (await answer.json()) as { Items: { Id: string; Name: string }[] };
  return { ArrayIndex: 0, FileId: Items[0]!.Id, FileName: name };
}

async function openApproval(portal: BenchPortal): Promise<number> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
    const { Items } = await portal.call<{ Items: { Id: number }[] }>('GET', '/api/approvals');
    if (Items[0]) return Items[0].Id;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the sample workflow has reached no approval');
}

async function makeDashboard(portal: BenchPortal, [first, second]: readonly Activity[]): Promise<number> {
  const outputs = first!.Outputs;
  const at = (X: number, Y: number, W: number, H: number) => ({ X, Y, W, H, Title: '' });
  const value = { ActivityId: first!.Id, OutputId: outputs.at(-1)!.Id };
  const table = second!.Outputs.find(({ Info }) => Info.RangeType !== 'SingleCell');
  const Tiles: Tile[] = [
    { ...at(0, 0, 3, 3), Id: 'a', Kind: 'Value', ...value, Runs: 30 },
    { ...at(3, 0, 3, 3), Id: 'b', Kind: 'Value', ActivityId: first!.Id, OutputId: outputs[0]!.Id, Runs: 30 },
    { ...at(6, 0, 6, 6), Id: 'c', Kind: 'Plot', ...value, Runs: 100 },
    {
      ...at(0, 3, 6, 3),
      Id: 'd',
      Kind: 'Outcomes',
      ActivityId: first!.Id,
      ChecklistId: null,
      Scheduled: false,
      Runs: 30,
    },
    { ...at(0, 6, 4, 4), Id: 'e', Kind: 'Approvals' },
    { ...at(4, 6, 4, 4), Id: 'f', Kind: 'Text', Text: 'Close of the month: all figures in the currency of the house.' },
    ...(table
      ? [{ ...at(8, 6, 4, 4), Id: 'g', Kind: 'Table' as const, ActivityId: second!.Id, OutputId: table.Id }]
      : []),
  ];
  const body = { Id: null, Revision: 0, Name: 'Closing at a glance', Tiles };
  return (await portal.call<{ Id: number }>('POST', '/api/dashboards/save', body)).Id;
}

/** Adds an alert, a holiday calendar, a webhook and a link to another activity. */
async function setUp(
  portal: BenchPortal,
  [first, , , , alike]: readonly Activity[],
): Promise<Pick<WorkflowSeed, 'webhook' | 'linkage'>> {
  const nobody = { Roles: [], UserIds: [], ByBell: true, ByMail: false };
  await portal.call('POST', '/api/activities/alerts/save', {
    ActivityId: first!.Id,
    Id: null,
    Name: 'The closing failed',
    IsActive: true,
    Condition: { Kind: 'Outcome', Statuses: ['Failed', 'InternalError'] },
    Receivers: { ...nobody, Roles: ['Accounting Berlin'], UserIds: [1] },
    NextReceivers: nobody,
    EscalateMinutes: null,
    Webhooks: [],
  });
  await portal.call('POST', '/api/holidayCalendars', {
    Id: 0,
    Name: 'Berlin',
    Weekend: [6, 7],
    Days: [
      { Day: '2026-12-25', Name: 'Christmas Day' },
      { Day: '2027-01-01', Name: 'New Year’s Day' },
    ],
  });
  const webhook = await portal.call<{ Id: number }>('POST', '/api/admin/webhooks/create', {
    Name: 'Data warehouse',
    Url: 'https://warehouse.example.org/hooks/runsheet',
    OnRunEnded: true,
    OnVersionPublished: false,
    OnApprovalAsked: false,
    IsActive: false,
    ActivityIds: [first!.Id],
  });
  const linkage = await portal.call<{ Id: number }>('POST', '/api/activities/writelink', {
    Id: 0,
    ActivityId: first!.Id,
    LinkedActivityId: alike!.Id,
    Name: 'Value a bond with this',
    LinkInfo: JSON.stringify([{ source: first!.Outputs[0]!.Id, target: alike!.Inputs[0]!.Id, ReadOnly: [false] }]),
  });
  return { webhook: webhook.Id, linkage: linkage.Id };
}
