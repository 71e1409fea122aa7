/**
 * Calls every endpoint of checklists and workflows as people who lack the right for it. Each call must be refused and
 * reveal nothing.
 */
import { describe, expect } from 'vitest';
import type { ChecklistPortal, User } from '#test/support/checklist-portal.ts';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const NAME = 'Secret month-end close';
const INPUTS = [
  { ChecklistInputName: 'Month', Value: '"June"' },
  { ChecklistInputName: 'Limit', Value: '100' },
  { ChecklistInputName: 'Rate', Value: '0.5' },
  { ChecklistInputName: 'Papers', Value: '[]' },
];

interface Stored {
  checklist: number;
  workflow: number;
  graph: object;
  /** An unfinished run of the runner. */
  going: number;
  /** A failed run of the runner. */
  failed: number;
  people: Record<string, User>;
}

const test = base.extend('stored', { scope: 'file', auto: true }, async ({ portal }): Promise<Stored> => {
  const { app, activities } = portal;
  const checklist = await portal.saved({ Name: NAME });
  const workflow = await portal.saved({ Name: NAME });
  await portal.post('workflows/create', { ChecklistId: workflow });
  const graph = (await portal.get(`workflows/details/${workflow}`)).body.result.Graph;
  const start = async (): Promise<number> =>
    (await portal.post('checklists/start', { ChecklistId: checklist, Inputs: INPUTS }, portal.runner)).body.result.Id;
  const [going, failed] = [await start(), await start()];
  const over = { Status: 'Failed', EndTime: new Date() };
  await app.database.knex('ActivityRuns').where({ ChecklistRunId: failed }).update(over);
  await app.database.knex('ChecklistRuns').where({ Id: failed }).update(over);
  const run = { right: 'sk.RunActivity', Schema: 'Finance' } as const;
  const people = {
    nobody: await signedInUser(app, []),
    'of another schema': await signedInUser(app, [
      { right: 'sk.RunActivity', Schema: 'Sales' },
      { right: 'sk.EditChecklist', Schema: 'Sales' },
      { right: 'sk.ViewRuns', Schema: 'Sales' },
      { right: 'sk.CancelAnyRun', Schema: 'Sales' },
      { right: 'sk.PurgeRuns', Schema: 'Sales' },
    ]),
    'who runs it': await signedInUser(app, [run]),
    'who sees its runs': await signedInUser(app, [run, { right: 'sk.ViewRuns', Schema: 'Finance' }]),
    'who runs one activity': await signedInUser(app, [
      { right: 'sk.RunActivity', Id: activities.collect },
      { right: 'sk.ViewRuns', Schema: 'Finance' },
    ]),
  };
  return { checklist, workflow, graph, going, failed, people };
});

const PLAN = JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: 0.1, RetryCount: 0, RetryInterval: 0 });
type Context = Stored & { portal: ChecklistPortal; user: User };
type Call = [what: string, method: 'GET' | 'POST', url: (of: Context) => string, body?: (of: Context) => object];
const CALLS: Record<string, Call> = Object.fromEntries(
  (
    [
      ['details', 'GET', ({ checklist }) => `checklists/details/${checklist}`],
      [
        'save',
        'POST',
        () => 'checklists/create',
        ({ checklist, portal }) => portal.body({ Id: checklist, Name: 'Mine' }),
      ],
      ['start', 'POST', () => 'checklists/start', ({ checklist }) => ({ ChecklistId: checklist, Inputs: INPUTS })],
      ['status', 'GET', ({ going }) => `checklists/status/checklist/${going}`],
      [
        'history',
        'POST',
        () => 'checklists/runhistory',
        ({ checklist }) => ({ ChecklistId: checklist, ApproxRows: 20 }),
      ],
      [
        'history as a file',
        'POST',
        () => 'checklists/runhistory/export',
        ({ checklist }) => ({ ChecklistId: checklist }),
      ],
      ['cancel', 'POST', ({ going }) => `checklists/cancel/${going}`, () => ({})],
      ['resume', 'POST', ({ failed }) => `checklists/resume/${failed}`, () => ({})],
      [
        'resume with the latest versions',
        'POST',
        ({ failed }) => `checklists/resume/${failed}`,
        () => ({ LatestVersions: true }),
      ],
      [
        'retry of a step',
        'POST',
        ({ failed }) => `checklists/resume/${failed}`,
        ({ portal }) => ({ From: { Steps: [String(portal.activities.collect)], Following: 'Unsuccessful' } }),
      ],
      [
        'run again from a step',
        'POST',
        ({ failed }) => `checklists/resume/${failed}`,
        ({ portal }) => ({ From: { Steps: [String(portal.activities.collect)], Following: 'All' } }),
      ],
      ['plan of a resume', 'POST', ({ failed }) => `checklists/resumeplan/${failed}`, () => ({})],
      ['files', 'GET', ({ failed }) => `checklists/downloadFiles/${failed}`],
      ['files of a workflow', 'GET', ({ failed }) => `workflows/downloadFiles/${failed}`],
      ['schedule', 'GET', ({ checklist }) => `checklists/schedule/${checklist}`],
      [
        'set schedule',
        'POST',
        () => 'checklists/schedule',
        ({ checklist, user: { UserId } }) => ({ ChecklistId: checklist, UserId, Schedule: PLAN }),
      ],
      ['delete schedule', 'POST', ({ checklist }) => `checklists/schedule/delete/${checklist}`, () => ({})],
      ['retention', 'GET', ({ checklist }) => `checklists/runRetention/${checklist}`],
      [
        'set retention',
        'POST',
        () => 'checklists/runRetention',
        ({ checklist }) => ({ ChecklistId: checklist, RunRetention: 1 }),
      ],
      ['delete retention', 'POST', ({ checklist }) => `checklists/runRetention/delete/${checklist}`, () => ({})],
      ['purge', 'POST', () => 'checklists/purgeRunData/2099-01-01', ({ checklist }) => [checklist]],
      ['purge one', 'POST', ({ failed }) => `checklists/purgeSingleRunData/${failed}`, () => ({})],
      ['edit as a workflow', 'POST', () => 'workflows/create', ({ checklist }) => ({ ChecklistId: checklist })],
      ['workflow', 'GET', ({ workflow }) => `workflows/details/${workflow}`],
      ['version of a workflow', 'GET', ({ workflow }) => `workflows/details/${workflow}/1`],
      ['versions of a workflow', 'GET', ({ workflow }) => `workflows/versions/${workflow}`],
      ['comparison', 'GET', ({ workflow }) => `workflows/compare/${workflow}/1/1`],
      ['export', 'GET', ({ workflow }) => `workflows/export/${workflow}/1`],
      [
        'save a workflow',
        'POST',
        () => 'workflows/update',
        ({ workflow, graph }) => ({ Id: workflow, Version: 1, Graph: graph }),
      ],
      ['check a workflow', 'POST', () => 'workflows/check', ({ workflow, graph }) => ({ Id: workflow, Graph: graph })],
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
const RESUMES = [
  'resume',
  'resume with the latest versions',
  'retry of a step',
  'run again from a step',
  'plan of a resume',
];
const OF_OTHERS = ['status', 'cancel', ...RESUMES, 'files', 'files of a workflow'];

const REFUSED: [who: string, calls: readonly string[]][] = [
  ['nobody', ALL],
  ['of another schema', ALL],
  ['who runs it', [...EDITS, ...PURGES, ...OF_OTHERS]],
  ['who sees its runs', [...EDITS, ...PURGES, 'cancel']],
  ['who runs one activity', [...EDITS, ...PURGES, 'start', 'cancel', ...RESUMES]],
];

describe.each(REFUSED)('a person %s', (who, calls) => {
  test.for(calls)('is refused: %s', async (name, { portal, stored }) => {
    const [, method, url, body] = CALLS[name]!;
    const user = stored.people[who]!;
    const context = { ...stored, portal, user };
    const answer =
      method === 'GET' ? await portal.get(url(context), user) : await portal.post(url(context), body!(context), user);
    expect([403, 404]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toContain(NAME);
  });
});

test('after all these calls everything stands as before', async ({
  portal,
  stored: { checklist, workflow, going, failed },
}) => {
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

test('who runs it sees it, their own runs alone, and neither sizes nor those of others', async ({
  portal,
  stored: { checklist, people },
}) => {
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

describe('a person who may run one activity of two', () => {
  const HIDDEN = ['Period', 'Rate', '0.35', 'Papers', 'Approve the secret margin?', 'Controllers of the margin'];

  test('sees of the checklist only the inputs of that activity', async ({ portal, stored: { checklist, people } }) => {
    await presetRate(portal);
    const { Activities, Inputs, UnmappedInputs } = await portal.details(checklist, people['who runs one activity']!);
    expect(Activities.map(({ Name }: { Name: string }) => Name)).toEqual(['Collect', 'Report']);
    const { collect, report } = portal.activities;
    const owners = [...Inputs.flatMap((one: Named) => one.ActivityInputs), ...UnmappedInputs].map(
      ({ ActivityId }: { ActivityId: number }) => ActivityId,
    );
    expect(new Set(owners)).toEqual(new Set([collect]));
    expect(JSON.stringify([Inputs, UnmappedInputs])).not.toContain('0.35');
    const whole = await portal.details(checklist);
    expect(JSON.stringify(whole.UnmappedInputs)).toContain('0.35');
    expect(JSON.stringify(whole.Inputs)).toContain(`"ActivityId":${report}`);
  });

  test('sees of its runs only what was entered for that activity', async ({ portal, stored }) => {
    const user = stored.people['who runs one activity']!;
    const status = await portal.get(`checklists/status/checklist/${stored.failed}`, user);
    const search = { ChecklistId: stored.checklist, ApproxRows: 20 };
    const history = await portal.post('checklists/runhistory', search, user);
    const names = (inputs: { ChecklistInputName: string }[]) => inputs.map(({ ChecklistInputName: name }) => name);
    expect(names(status.body.result.Checklist.Inputs)).toEqual(['Month', 'Limit']);
    for (const run of history.body.result.Runs) expect(names(run.Inputs)).toEqual(['Month', 'Limit']);
    const all = await portal.get(`checklists/status/checklist/${stored.failed}`, stored.people['who sees its runs']);
    expect(names(all.body.result.Checklist.Inputs)).toEqual(['Month', 'Limit', 'Rate', 'Papers']);
  });

  test('sees no steps of the workflow, and what runs it whole does', async ({ portal, stored }) => {
    const { workflow, people } = stored;
    const graph = structuredClone(stored.graph) as { Steps: object[] };
    graph.Steps.push(APPROVAL);
    const { app } = portal;
    await app.database
      .knex('WorkflowVersions')
      .where({ ChecklistId: workflow })
      .update({ Graph: JSON.stringify(graph) });
    for (const call of [
      `details/${workflow}`,
      `details/${workflow}/1`,
      `compare/${workflow}/1/1`,
      `export/${workflow}/1`,
    ]) {
      const answer = await portal.get(`workflows/${call}`, people['who runs one activity']);
      expect([call, answer.status]).toEqual([call, 403]);
      for (const text of HIDDEN) expect(JSON.stringify(answer.body)).not.toContain(text);
      expect([call, (await portal.get(`workflows/${call}`, people['who runs it'])).status]).toEqual([call, 200]);
    }
  });
});

interface Named {
  ActivityInputs: { ActivityId: number }[];
}

const APPROVAL = {
  Kind: 'Approval',
  Key: 'margin',
  Name: 'Margin',
  After: [],
  Join: 'AllSucceeded',
  OnFailure: 'Stop',
  Roles: ['Controllers of the margin'],
  UserIds: [],
  Needed: 1,
  StarterMayApprove: false,
  Text: 'Approve the secret margin?',
  Values: [],
  ExpiresAfterHours: null,
  OnExpiry: 'Fail',
};

/** Presets the input, so that the checklist no longer asks for it. */
async function presetRate({ app, inputs }: ChecklistPortal): Promise<void> {
  await app.database.knex('ActivityParameters').where('Id', inputs['report.Rate']!).update({ PresetValue: '0.35' });
}
