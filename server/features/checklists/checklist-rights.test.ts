/** Every call of checklists and workflows, made by people who lack the right for it: each is refused, and tells nothing. */
import { beforeAll, describe, expect, test } from 'vitest';
import { checklistPortal, type User } from '#test/support/checklist-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const portal = checklistPortal();
const NAME = 'Secret month-end close';
const INPUTS = [
  { ChecklistInputName: 'Month', Value: '"June"' },
  { ChecklistInputName: 'Limit', Value: '100' },
  { ChecklistInputName: 'Rate', Value: '0.5' },
  { ChecklistInputName: 'Papers', Value: '[]' },
];

let checklist: number;
let workflow: number;
/** Runs of the runner: one that goes on, and one that failed. */
let going: number;
let failed: number;
let graph: object;
const people: Record<string, User> = {};

beforeAll(async () => {
  const { app, activities } = portal;
  checklist = await portal.saved({ Name: NAME });
  workflow = await portal.saved({ Name: NAME });
  await portal.post('workflows/create', { ChecklistId: workflow });
  graph = (await portal.get(`workflows/details/${workflow}`)).body.result.Graph;
  const start = async () =>
    (await portal.post('checklists/start', { ChecklistId: checklist, Inputs: INPUTS }, portal.runner)).body.result.Id;
  [going, failed] = [await start(), await start()];
  const over = { Status: 'Failed', EndTime: new Date() };
  await app.database.knex('ActivityRuns').where({ ChecklistRunId: failed }).update(over);
  await app.database.knex('ChecklistRuns').where({ Id: failed }).update(over);
  const run = { right: 'sk.RunActivity', Schema: 'Finance' } as const;
  people['nobody'] = await signedInUser(app, []);
  people['of another schema'] = await signedInUser(app, [
    { right: 'sk.RunActivity', Schema: 'Sales' },
    { right: 'sk.EditChecklist', Schema: 'Sales' },
    { right: 'sk.ViewRuns', Schema: 'Sales' },
    { right: 'sk.CancelAnyRun', Schema: 'Sales' },
    { right: 'sk.PurgeRuns', Schema: 'Sales' },
  ]);
  people['who runs it'] = await signedInUser(app, [run]);
  people['who sees its runs'] = await signedInUser(app, [run, { right: 'sk.ViewRuns', Schema: 'Finance' }]);
  people['who runs one activity'] = await signedInUser(app, [
    { right: 'sk.RunActivity', Id: activities.collect },
    { right: 'sk.ViewRuns', Schema: 'Finance' },
  ]);
});

const PLAN = JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: 0.1, RetryCount: 0, RetryInterval: 0 });
type Call = [what: string, method: 'GET' | 'POST', url: () => string, body?: (user: User) => object];
const CALLS: Record<string, Call> = Object.fromEntries(
  (
    [
      ['details', 'GET', () => `checklists/details/${checklist}`],
      ['save', 'POST', () => 'checklists/create', () => portal.body({ Id: checklist, Name: 'Mine' })],
      ['start', 'POST', () => 'checklists/start', () => ({ ChecklistId: checklist, Inputs: INPUTS })],
      ['status', 'GET', () => `checklists/status/checklist/${going}`],
      ['history', 'POST', () => 'checklists/runhistory', () => ({ ChecklistId: checklist, ApproxRows: 20 })],
      ['history as a file', 'POST', () => 'checklists/runhistory/export', () => ({ ChecklistId: checklist })],
      ['cancel', 'POST', () => `checklists/cancel/${going}`, () => ({})],
      ['resume', 'POST', () => `checklists/resume/${failed}`, () => ({})],
      [
        'resume with the latest versions',
        'POST',
        () => `checklists/resume/${failed}`,
        () => ({ LatestVersions: true }),
      ],
      [
        'retry of a step',
        'POST',
        () => `checklists/retry/${failed}`,
        () => ({ StepKey: String(portal.activities.collect), GoOn: true }),
      ],
      ['files', 'GET', () => `checklists/downloadFiles/${failed}`],
      ['files of a workflow', 'GET', () => `workflows/downloadFiles/${failed}`],
      ['schedule', 'GET', () => `checklists/schedule/${checklist}`],
      [
        'set schedule',
        'POST',
        () => 'checklists/schedule',
        ({ UserId }) => ({ ChecklistId: checklist, UserId, Schedule: PLAN }),
      ],
      ['delete schedule', 'POST', () => `checklists/schedule/delete/${checklist}`, () => ({})],
      ['retention', 'GET', () => `checklists/runRetention/${checklist}`],
      ['set retention', 'POST', () => 'checklists/runRetention', () => ({ ChecklistId: checklist, RunRetention: 1 })],
      ['delete retention', 'POST', () => `checklists/runRetention/delete/${checklist}`, () => ({})],
      ['purge', 'POST', () => 'checklists/purgeRunData/2099-01-01', () => [checklist]],
      ['purge one', 'POST', () => `checklists/purgeSingleRunData/${failed}`, () => ({})],
      ['edit as a workflow', 'POST', () => 'workflows/create', () => ({ ChecklistId: checklist })],
      ['workflow', 'GET', () => `workflows/details/${workflow}`],
      ['version of a workflow', 'GET', () => `workflows/details/${workflow}/1`],
      ['versions of a workflow', 'GET', () => `workflows/versions/${workflow}`],
      ['comparison', 'GET', () => `workflows/compare/${workflow}/1/1`],
      ['export', 'GET', () => `workflows/export/${workflow}/1`],
      ['save a workflow', 'POST', () => 'workflows/update', () => ({ Id: workflow, Version: 1, Graph: graph })],
      ['check a workflow', 'POST', () => 'workflows/check', () => ({ Id: workflow, Graph: graph })],
      ['import', 'POST', () => 'workflows/import', () => ({ Content: '{}', Schema: 'Finance' })],
    ] as Call[]
  ).map((one) => [one[0], one]),
);
const ALL = Object.keys(CALLS);
const EDITS = ALL.filter(
  (name) =>
    /save|schedule|retention|edit as|check|import|export|comparison/.test(name) &&
    name !== 'export' &&
    name !== 'comparison',
);
const PURGES = ['purge', 'purge one'];
const RESUMES = ['resume', 'resume with the latest versions', 'retry of a step'];
const OF_OTHERS = ['status', 'cancel', ...RESUMES, 'files', 'files of a workflow'];

const REFUSED: [who: string, calls: readonly string[]][] = [
  ['nobody', ALL],
  ['of another schema', ALL],
  ['who runs it', [...EDITS, ...PURGES, ...OF_OTHERS]],
  ['who sees its runs', [...EDITS, ...PURGES, 'cancel']],
  ['who runs one activity', [...EDITS, ...PURGES, 'start', 'cancel', ...RESUMES]],
];

describe.each(REFUSED)('a person %s', (who, calls) => {
  test.each(calls)('is refused: %s', async (name) => {
    const [, method, url, body] = CALLS[name]!;
    const user = people[who]!;
    const answer = method === 'GET' ? await portal.get(url(), user) : await portal.post(url(), body!(user), user);
    expect([403, 404]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toContain(NAME);
  });
});

test('after all these calls everything stands as before', async () => {
  const { knex } = portal.app.database;
  const runs = await knex('ChecklistRuns').whereIn('ChecklistId', [checklist, workflow]).orderBy('Id');
  expect(runs.map(({ Id, Status, CancelTime, PurgeTime }) => [Id, Status, CancelTime, PurgeTime])).toEqual([
    [going, 'Started', null, null],
    [failed, 'Failed', null, null],
  ]);
  for (const table of ['ChecklistSchedules', 'ChecklistRetentions']) {
    expect(await knex(table).where({ ChecklistId: checklist })).toEqual([]);
  }
  expect((await portal.details(checklist)).Revision).toBe(1);
  expect(await knex('WorkflowVersions').where({ ChecklistId: workflow })).toHaveLength(1);
});

test('who runs it sees it, their own runs alone, and neither sizes nor those of others', async () => {
  const runner = people['who runs it']!;
  expect((await portal.get(`checklists/details/${checklist}`, runner)).body.result).toMatchObject({
    CanRun: true,
    CanEdit: false,
    LastRunId: null,
  });
  const history = await portal.post('checklists/runhistory', { ChecklistId: checklist, ApproxRows: 20 }, runner);
  expect(history.body.result.Runs).toEqual([]);
  const viewer = people['who sees its runs']!;
  const all = await portal.post('checklists/runhistory', { ChecklistId: checklist, ApproxRows: 20 }, viewer);
  expect(all.body.result.Runs).toHaveLength(2);
  expect((await portal.get('checklists/rundatasize/2099-01-01', runner)).status).toBe(403);
});
