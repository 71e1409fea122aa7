/** Tests creating, changing and viewing checklists. */
import { describe, expect } from 'vitest';
import type { ChecklistPortal } from '#test/support/checklist-portal.ts';
import { test } from '#test/support/fixtures/checklist-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const names = (list: { Name: string }[]) => list.map(({ Name }) => Name);

type Portal = Pick<ChecklistPortal, 'activities' | 'mapped' | 'named'>;
const fewer = ({ mapped }: Portal) => mapped().slice(1);
const twice = ({ mapped, named }: Portal) => [...mapped(), named('Other', 'collect.Limit')];
const long = (portal: Portal) => [portal.named('n'.repeat(31), 'collect.Month', 'report.Period'), ...fewer(portal)];
const mixed = ({ mapped, named }: Portal) => [
  named('Month', 'collect.Month', 'report.Period', 'collect.Limit'),
  ...mapped().slice(2),
];
const foreign = ({ mapped }: Portal) => [...mapped(), { InputName: 'X', ActivityInputs: [{ Id: 999_999 }] }];

describe('a checklist', () => {
  test('is stored with its activities in order, and inputs by their names', async ({
    portal: { saved, details, inputs, activities },
  }) => {
    const Id = await saved({ Description: 'Each month', Group: 'Closing', Order: '2.4' });
    const checklist = await details(Id);
    expect(checklist).toMatchObject({
      Id,
      Revision: 1,
      Name: 'Month-end close',
      Description: 'Each month',
      Schema: 'Finance',
      Group: 'Closing',
      Order: 2,
      WorkflowId: Id,
      WorkflowVersion: 1,
      Workflow: null,
      UniqueId: null,
      CanEdit: true,
      CanRun: true,
      LastRunId: null,
      IsLastRunWorkflow: false,
      LastRun: null,
      UnmappedInputs: [],
    });
    expect(names(checklist.Activities)).toEqual(['Collect', 'Report']);
    expect(checklist.Inputs.map(({ InputName }: { InputName: string }) => InputName)).toEqual([
      'Month',
      'Limit',
      'Rate',
      'Papers',
    ]);
    const [month] = checklist.Inputs;
    expect(month).toMatchObject({ ChecklistId: Id, InputId: inputs['collect.Month'], Order: 0 });
    expect(month.ActivityInputs).toMatchObject([
      { ActivityId: activities.collect, Id: inputs['collect.Month'], Name: 'Month', Info: { CellUsages: ['Text'] } },
      { ActivityId: activities.report, Id: inputs['report.Period'], Name: 'Period' },
    ]);
  });

  test('may be sent back as its details answered it, and is changed by it', async ({ portal }) => {
    const Id = await portal.saved();
    const { body, status } = await portal.post('checklists/create', {
      ...(await portal.details(Id)),
      Name: 'Quarter',
      Activities: [
        { Id: portal.activities.report },
        { Id: portal.activities.collect },
        { Id: portal.activities.close },
      ],
    });
    expect([status, body]).toEqual([200, { result: { Id, Revision: 2 } }]);
    const changed = await portal.details(Id);
    expect([changed.Name, names(changed.Activities)]).toEqual(['Quarter', ['Report', 'Collect', 'Close']]);
    expect(changed.Inputs).toHaveLength(4);
  });

  test('is not saved over what somebody else has saved, who is named', async ({ portal: { saved, save, details } }) => {
    const Id = await saved();
    expect((await save({ Id, Name: 'Theirs', Revision: 1 })).status).toBe(200);
    const late = await save({ Id, Name: 'Mine', Revision: 1 });
    expect([late.status, late.body.message]).toEqual([
      409,
      expect.stringMatching(/ changed this on [\d: -]+ UTC, after you opened it\. Nothing was saved\.$/),
    ]);
    expect(late.body.OtherEdit).toMatchObject({ Revision: 2, UserFullName: expect.stringMatching(/./) });
    expect((await details(Id)).Name).toBe('Theirs');
  });

  test('is one, though the form that makes it is sent twice', async ({ portal }) => {
    const UniqueId = 'form-of-a-checklist';
    const answers = await Promise.all([portal.save({ UniqueId }), portal.save({ UniqueId, Name: 'Again' })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0].body.result.Id).toBe(answers[1].body.result.Id);
    const { knex } = portal.app.database;
    expect(await knex('Checklists').where({ UniqueId })).toHaveLength(1);
  });

  test('has texts that are cut to what it may have', async ({ portal: { details, saved } }) => {
    const checklist = await details(
      await saved({ Name: ` ${'n'.repeat(120)}`, Description: 'd'.repeat(300), Group: 'g'.repeat(40) }),
    );
    const { Name, Description, Group } = checklist;
    expect([Name.length, Description.length, Group.length]).toEqual([100, 250, 30]);
  });

  test('saved without its inputs is there, and cannot be run until they are mapped', async ({
    portal: { saved, details, save, mapped },
  }) => {
    const Id = await saved({ Inputs: null });
    const { Inputs, UnmappedInputs } = await details(Id);
    expect([Inputs, names(UnmappedInputs)]).toEqual([[], ['Month', 'Limit', 'Period', 'Rate', 'Papers']]);
    await save({ Id, Inputs: mapped() });
    // An edit without mappings leaves the existing ones unchanged.
    await save({ Id, Inputs: undefined, Name: 'Renamed' });
    expect((await details(Id)).Inputs).toHaveLength(4);
  });

  test('has no mappings after all were removed', async ({ portal }) => {
    const Id = await portal.saved();
    expect((await portal.save({ Id, Inputs: [] })).status).toBe(200);
    expect(await portal.details(Id)).toMatchObject({ Inputs: [], CanRun: true });
    const start = await portal.post('checklists/start', { ChecklistId: Id, Inputs: [] }, portal.runner);
    expect([start.status, start.body.message]).toEqual([
      409,
      'The checklist cannot be run because some inputs have not been mapped',
    ]);
  });

  test('no longer asks for an input that was preset since, and names it among the unmapped', async ({ portal }) => {
    const Id = await portal.saved();
    const preset = (value: string | null) =>
      portal.app.database
        .knex('ActivityParameters')
        .where('Id', portal.inputs['collect.Limit'])
        .update({ PresetValue: value });
    await preset('5');
    const { Inputs, UnmappedInputs } = await portal.details(Id);
    const refused = await portal.save({ Id });
    await preset(null);
    expect(Inputs).toHaveLength(3);
    expect(UnmappedInputs).toMatchObject([{ Name: 'Limit', PresetValue: '5' }]);
    expect([refused.status, refused.body.message]).toEqual([400, "'Limit' cannot be mapped"]);
  });
});

describe('a checklist is refused', () => {
  test.for([
    ['without a name', () => ({ Name: ' ' }), 'Name', 'Checklist name must be provided.'],
    [
      'without activities',
      () => ({ Activities: [], Inputs: [] }),
      'Activities',
      'Checklist must contain at least one activity.',
    ],
    ['with an order that is not a number', () => ({ Order: 'first' }), 'Order', 'Order must be a number'],
    [
      'with some inputs mapped alone',
      (portal: Portal) => ({ Inputs: fewer(portal) }),
      'Inputs',
      'All inputs must be mapped.',
    ],
    [
      'with a long name of an input',
      (portal: Portal) => ({ Inputs: long(portal) }),
      'Inputs',
      `Checklist Input names ${'n'.repeat(31)} exceed the character length limit of 30`,
    ],
    [
      'with one name for two types',
      (portal: Portal) => ({ Inputs: mixed(portal) }),
      'Inputs',
      'Inputs of different types cannot be mapped to the same name',
    ],
    [
      'with an input under two names',
      (portal: Portal) => ({ Inputs: twice(portal) }),
      'Inputs',
      "'Limit' can be mapped to only one name",
    ],
    [
      'with an input of no activity',
      (portal: Portal) => ({ Inputs: foreign(portal) }),
      'Inputs',
      'There is no such input in the activities of the checklist',
    ],
    [
      'with an activity twice',
      ({ activities }: Portal) => ({ Activities: [{ Id: activities.close }, { Id: activities.close }] }),
      'Activities',
      'An activity can be in a checklist only once',
    ],
    [
      'with an activity there is not',
      () => ({ Activities: [{ Id: 999_999 }] }),
      'Activities',
      'There is no such activity',
    ],
    ['in a schema there is not', () => ({ Schema: 'Nowhere' }), 'Schema', "There is no schema 'Nowhere'"],
  ] as const)('%s', async ([, more, field, message], { portal }) => {
    const { status, body } = await portal.save(more(portal));
    expect([status, body]).toEqual([400, { message, modelState: { [field]: [message] } }]);
  });

  test('with a field that it does not have', async ({ portal: { save } }) => {
    expect((await save({ Colour: 'red' })).status).toBe(400);
  });

  test('once it was edited as a workflow', async ({ portal }) => {
    const Id = await portal.saved();
    const { knex } = portal.app.database;
    const version = { ChecklistId: Id, Version: 1, Graph: '{"Inputs":[],"Steps":[]}', UserId: portal.editor.UserId };
    await knex('WorkflowVersions').insert(version);
    await knex('Checklists').where({ Id }).update({ WorkflowVersion: 1 });
    const { status, body } = await portal.save({ Id });
    expect([status, body.message]).toEqual([
      409,
      'The checklist has been edited as a workflow and can now be changed only as a workflow',
    ]);
    expect(await portal.details(Id)).toMatchObject({
      WorkflowId: null,
      WorkflowVersion: null,
      Workflow: { Id, Version: 1 },
    });
    expect(await portal.listed(Id)).toMatchObject({ IsWorkflow: true });
  });
});

describe('of the rights to a checklist', () => {
  test('who may run all its activities sees and may run it, and not change it', async ({ portal }) => {
    const Id = await portal.saved();
    expect(await portal.details(Id, portal.runner)).toMatchObject({ CanRun: true, CanEdit: false });
    expect((await portal.save({ Id }, portal.runner)).status).toBe(403);
    expect((await portal.save({}, portal.runner)).status).toBe(403);
  });

  test('who may run some of its activities sees which ones are not theirs', async ({ portal }) => {
    const Id = await portal.saved();
    const { CanRun, Activities } = await portal.details(Id, portal.collectOnly);
    expect(CanRun).toBe(false);
    expect(Activities).toMatchObject([
      { Name: 'Collect', CanRun: true },
      { Name: 'Report', CanRun: false },
    ]);
    expect(await portal.listed(Id, portal.collectOnly)).toMatchObject({ CanRun: false, CanEdit: false });
  });

  test('who may run none of its activities does not see it', async ({ portal }) => {
    const Id = await portal.saved();
    const { status, body } = await portal.get(`checklists/details/${Id}`, portal.stranger);
    expect([status, body]).toEqual([404, { message: 'There is no such checklist' }]);
    expect(await portal.listed(Id, portal.stranger)).toBeUndefined();
  });

  test('editors of checklists of a schema choose that schema, and activities that they see', async ({ portal }) => {
    const { app } = portal;
    const author = await signedInUser(app, [
      { right: 'sk.EditChecklist', Schema: 'Finance' },
      { right: 'sk.RunActivity', Id: portal.activities.close },
    ]);
    const schemas = await portal.get('checklists/create/allowedSchemas', author);
    expect(schemas.body.result.Items).toEqual([{ Name: 'Finance' }]);
    const unseen = await portal.save({}, author);
    expect([unseen.status, unseen.body.message]).toEqual([400, 'There is no such activity']);
    const own = { Activities: [{ Id: portal.activities.close }], Inputs: null };
    expect((await portal.save(own, author)).status).toBe(200);
    expect((await portal.save({ ...own, Schema: 'Sales' }, author)).status).toBe(403);
    // An activity that somebody else added may stay, even if the author cannot see it.
    const Id = await portal.saved();
    expect((await portal.save({ Id, Inputs: null }, author)).status).toBe(200);
  });
});

describe('the list', () => {
  test('has the checklists with their last runs, and their schemas and groups', async ({ portal }) => {
    const { app, editor, runner } = portal;
    const Id = await portal.saved({
      Schema: 'Sales',
      Group: 'Only of checklists',
      Activities: [{ Id: portal.activities.collect }],
      Inputs: portal
        .mapped()
        .slice(0, 2)
        .map((one, at) => (at === 0 ? portal.named('Month', 'collect.Month') : one)),
    });
    expect(await portal.listed(Id)).toEqual({
      Id,
      Name: 'Month-end close',
      Description: '',
      Schema: 'Sales',
      Group: 'Only of checklists',
      Order: null,
      CanEdit: true,
      CanRun: true,
      IsWorkflow: false,
      LastRunId: null,
      IsLastRunWorkflow: false,
      LastRunQueueTime: null,
      LastRunStatus: null,
      LastRunUserFullName: null,
    });
    const { knex } = app.database;
    const [plan] = await knex('ChecklistPlans').insert({ Hash: 'of the list', Plan: '{}' }).returning('Id');
    const run = { ChecklistId: Id, PlanId: plan.Id, Inputs: '[]' };
    const [theirs] = await knex('ChecklistRuns')
      .insert({ ...run, UserId: runner.UserId, Status: 'Failed' })
      .returning('Id');
    const [newest] = await knex('ChecklistRuns')
      .insert({ ...run, UserId: editor.UserId, Status: 'Started' })
      .returning('Id');
    expect(await portal.listed(Id)).toMatchObject({
      LastRunId: newest.Id,
      LastRunStatus: 'Started',
      LastRunUserFullName: expect.any(String),
    });
    // People who may not see others' runs see their own.
    expect(await portal.listed(Id, runner)).toMatchObject({ LastRunId: theirs.Id, LastRunStatus: 'Failed' });
    await knex('ChecklistRuns').where('Id', newest.Id).update({ Status: 'Succeeded' });
    expect(await portal.listed(Id)).toMatchObject({ LastRunStatus: 'Succeeded' });
    const { body } = await portal.get('activities', runner);
    expect(names(body.result.Schemas)).toContain('Sales');
    expect(body.result.Groups).toContain('Only of checklists');
  });
});
