/** Tests workflows that are stored without a checklist before them, and copies to start from. */
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/workflow-portal.ts';
import { grant, signedInUser } from '#test/support/users.ts';

const fromInput = (...names: string[]) => names.map((Name) => ({ Input: Name, From: { Kind: 'Input', Name } }));

const test = base
  .extend('graph', ({ portal: { activities } }) => ({
    Inputs: [{ Name: 'Month' }, { Name: 'Limit' }],
    Steps: [
      {
        Kind: 'Activity',
        Key: 'collect',
        Name: 'Collect',
        After: [] as object[],
        Join: 'AllSucceeded',
        OnFailure: 'Stop',
        ActivityId: activities.collect,
        Inputs: fromInput('Month', 'Limit'),
      },
    ],
  }))
  .extend(
    'create',
    ({ portal, graph }) =>
      (more: object = {}, user = portal.editor) =>
        portal.post(
          'workflows/new',
          {
            Name: 'Quarterly close',
            Description: 'By quarter',
            Group: 'Close',
            Schema: 'Finance',
            Graph: graph,
            ...more,
          },
          user,
        ),
  );

describe('a new workflow', () => {
  test('is stored as version 1, and can be run without ever having been a checklist', async ({
    create,
    workflows: { workflow },
    portal,
  }) => {
    const { status, body } = await create();
    expect([status, body.result?.Version]).toEqual([200, 1]);
    const { Id } = body.result;
    expect(await workflow(Id)).toMatchObject({
      Name: 'Quarterly close',
      Schema: 'Finance',
      NewestVersion: 1,
      ChangeDescription: '',
      Faults: [],
      Graph: { Steps: [{ Name: 'Collect' }] },
    });
    const { WorkflowId, Workflow, Activities, Inputs } = await portal.details(Id);
    expect([WorkflowId, Workflow]).toEqual([null, { Id, Version: 1 }]);
    expect(Activities).toMatchObject([{ Name: 'Collect' }]);
    expect(Inputs.map(({ InputName }: { InputName: string }) => InputName)).toEqual(['Month', 'Limit']);
    expect(await portal.listed(Id)).toMatchObject({ Description: 'By quarter', Group: 'Close', IsWorkflow: true });
    const locked = await portal.save({ Id });
    expect([locked.status, locked.body.message]).toEqual([
      409,
      'The checklist has been edited as a workflow and can now be changed only as a workflow',
    ]);
    expect((await portal.details(Id, portal.runner)).CanRun).toBe(true);
  });

  test('is refused without a name, in an unknown schema, and with problems of its graph, and is not stored', async ({
    create,
    graph,
    portal: { get },
  }) => {
    const count = async (): Promise<number> => (await get('activities')).body.result.Checklists.length;
    const before = await count();
    const unnamed = await create({ Name: ' ' });
    expect([unnamed.status, unnamed.body.modelState]).toEqual([400, { Name: ['Workflow name must be provided.'] }]);
    const nowhere = await create({ Schema: 'Nowhere' });
    expect([nowhere.status, nowhere.body.modelState]).toEqual([400, { Schema: ["There is no schema 'Nowhere'"] }]);
    const empty = await create({ Graph: { Inputs: [], Steps: [] } });
    expect([empty.status, empty.body.message]).toEqual([400, 'A workflow must contain at least one step.']);
    const unmapped = await create({ Graph: { Inputs: [], Steps: [{ ...graph.Steps[0], Inputs: [] }] } });
    expect([unmapped.status, unmapped.body.modelState]).toEqual([
      400,
      { collect: ["All inputs must be mapped. 'Month', 'Limit' is not"] },
    ]);
    expect(await count()).toBe(before);
  });

  test('needs the right in its schema, and may contain only activities that the person sees', async ({
    create,
    graph,
    portal,
  }) => {
    expect((await create({}, portal.runner)).status).toBe(403);
    const elsewhere = await signedInUser(portal.app, [{ right: 'sk.EditChecklist', Schema: 'Sales' }]);
    expect((await create({}, elsewhere)).status).toBe(403);
    const hidden = await create({ Schema: 'Sales' }, elsewhere);
    expect([hidden.status, hidden.body.message]).toEqual([400, 'Collect: There is no such activity']);
    const checked = await portal.post('workflows/check', { Id: 0, Graph: graph }, elsewhere);
    expect(checked.body.result.Faults).toMatchObject([{ Step: 'collect', Message: 'There is no such activity' }]);
    expect((await portal.post('workflows/check', { Id: 0, Graph: graph })).body.result).toEqual({ Faults: [] });
    expect((await portal.post('workflows/check', { Id: 0, Graph: graph }, portal.runner)).status).toBe(403);
  });

  test('that is sent again is one workflow, and what was changed since is not lost', async ({
    create,
    graph,
    workflows: { workflow, save },
    portal: { listed },
  }) => {
    const UniqueId = randomUUID();
    const twice = await Promise.all([create({ UniqueId }), create({ UniqueId })]);
    const [Id, other] = twice.map(({ body }) => body.result.Id);
    expect(other).toBe(Id);
    expect((await create({ UniqueId })).body.result).toEqual({ Id, Version: 1 });
    const changed = { ...graph, Steps: [{ ...graph.Steps[0]!, Name: 'Collect all' }] };
    const again = await create({ UniqueId, Name: 'Yearly close', Graph: changed });
    expect(again.body.result).toEqual({ Id, Version: 2 });
    expect(await workflow(Id)).toMatchObject({
      Name: 'Yearly close',
      NewestVersion: 2,
      Graph: { Steps: [{ Name: 'Collect all' }] },
    });
    expect((await save(Id, graph, { Version: 2 })).body.result.Version).toBe(3);
    const late = await create({ UniqueId, Name: 'Late', Graph: changed });
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('Another user saved')]);
    expect(await listed(Id)).toMatchObject({ Name: 'Yearly close' });
  });

  test('that is sent again needs the right in the schema where it is stored, and stays there', async ({
    create,
    workflows: { workflow },
    portal,
  }) => {
    const UniqueId = randomUUID();
    const user = await signedInUser(portal.app, ['sk.EditChecklist', 'sk.RunActivity']);
    const stored = await create({ UniqueId }, user);
    expect(stored.status).toBe(200);
    const moved = await create({ UniqueId, Name: 'Moved', Schema: 'Sales' }, user);
    expect([moved.status, moved.body.modelState]).toEqual([
      400,
      { Schema: ['The workflow was already created in the schema Finance. Choose that schema.'] },
    ]);
    await grant(portal.app, user.UserId, { right: 'sk.EditChecklist', Schema: 'Finance', access: -1 });
    expect((await create({ UniqueId, Name: 'Renamed', Schema: 'Sales' }, user)).status).toBe(403);
    expect(await workflow(stored.body.result.Id)).toMatchObject({ Name: 'Quarterly close', NewestVersion: 1 });
  });
});

describe('a copy', () => {
  test('of a workflow has its newest version; the workflow stays as it is', async ({
    create,
    graph,
    workflows: { save, workflow },
    portal: { get },
  }) => {
    const { Id } = (await create()).body.result;
    const Steps = [{ ...graph.Steps[0]!, Name: 'Collect all' }];
    await save(Id, { ...graph, Steps });
    const { status, body } = await get(`workflows/copy/${Id}`);
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      Name: 'Quarterly close',
      Description: 'By quarter',
      Group: 'Close',
      Schema: 'Finance',
      Graph: { Inputs: graph.Inputs, Steps: [{ Key: 'collect', Name: 'Collect all' }] },
      Faults: [],
      Activities: [{ Name: 'Collect' }],
    });
    const made = await create({ Name: 'Copy', Graph: body.result.Graph });
    expect(made.body.result.Id).not.toBe(Id);
    expect((await workflow(Id)).NewestVersion).toBe(2);
  });

  test('of a checklist is compiled from it, also if its inputs are not mapped; it stays a checklist', async ({
    portal,
  }) => {
    const mapped = await portal.saved();
    const { result } = (await portal.get(`workflows/copy/${mapped}`)).body;
    expect([result.Graph.Steps.length, result.Faults]).toEqual([2, []]);
    const unmapped = await portal.saved({ Inputs: null });
    const { Graph, Faults } = (await portal.get(`workflows/copy/${unmapped}`)).body.result;
    expect(Graph).toMatchObject({ Inputs: [], Steps: [{ Name: 'Collect' }, { Name: 'Report' }] });
    expect(Faults[0].Message).toMatch(/^All inputs must be mapped/);
    expect((await portal.details(mapped)).Workflow).toBeNull();
  });

  test('is refused to a person who may not see all of its steps', async ({ portal }) => {
    const Id = await portal.saved();
    expect((await portal.get(`workflows/copy/${Id}`, portal.stranger)).status).toBe(404);
    const hidden = await portal.get(`workflows/copy/${Id}`, portal.collectOnly);
    expect([hidden.status, hidden.body.message]).toEqual([403, expect.stringContaining('You can see the steps')]);
    expect((await portal.get(`workflows/copy/${Id}`, portal.runner)).status).toBe(200);
  });
});
