/** Tests workflows created from checklists: saving and comparing them. */
import { describe, expect } from 'vitest';
import { input } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertVersion } from '#test/support/runs.ts';
import { test } from '#test/support/fixtures/workflow-portal.ts';
import type { EditedGraph } from '#test/support/workflow-portal.ts';
import { signedInUser } from '#test/support/users.ts';

describe('a checklist edited as a workflow', () => {
  test('is a graph of its activities, with the same inputs', async ({
    workflows: { edited, workflow },
    portal: { activities, details },
  }) => {
    const Id = await edited();
    const { Graph, Faults, Version, NewestVersion } = await workflow(Id);
    expect([Version, NewestVersion, Faults]).toEqual([1, 1, []]);
    expect(Graph.Inputs).toEqual([{ Name: 'Month' }, { Name: 'Limit' }, { Name: 'Rate' }, { Name: 'Papers' }]);
    expect(Graph.Steps).toMatchObject([
      { Kind: 'Activity', Name: 'Collect', ActivityId: activities.collect, After: [], OnFailure: 'Stop' },
      { Name: 'Report', After: [{ Step: Graph.Steps[0].Key, When: 'success' }] },
    ]);
    expect(Graph.Steps[1].Inputs).toContainEqual({ Input: 'Period', From: { Kind: 'Input', Name: 'Month' } });
    const { WorkflowId, Workflow, Inputs, UnmappedInputs } = await details(Id);
    expect([WorkflowId, Workflow, UnmappedInputs]).toEqual([null, { Id, Version: 1 }, []]);
    expect(Inputs[0].ActivityInputs).toHaveLength(2);
  });

  test('returns the inputs and outputs of its activities, so that editors can map them', async ({
    workflows: { workflow, edited },
    portal: { activities },
  }) => {
    const { Activities } = await workflow(await edited());
    expect(Activities).toMatchObject([
      {
        Id: activities.collect,
        Name: 'Collect',
        Schema: 'Finance',
        IsActive: true,
        Inputs: [
          {
            Name: 'Month',
            IsMappable: true,
            IsOptional: false,
            Info: { RangeType: 'SingleCell', CellUsages: ['Text'] },
          },
          { Name: 'Limit', IsMappable: true },
          { Name: 'Note', IsMappable: false },
        ],
        Outputs: [{ Name: 'Total' }, { Name: 'Lines', Info: { ColumnHeaderValues: ['Name', 'Amount'] } }],
      },
      { Name: 'Report' },
    ]);
  });

  test('is that only once, and not of a checklist whose inputs are not mapped', async ({
    workflows: { edited },
    portal: { post, saved },
  }) => {
    const Id = await edited();
    expect((await post('workflows/create', { ChecklistId: Id })).body).toEqual({ result: { Id, Version: 1 } });
    const unmapped = await post('workflows/create', { ChecklistId: await saved({ Inputs: null }) });
    expect([unmapped.status, unmapped.body.message]).toEqual([
      409,
      'The checklist cannot be run because some inputs have not been mapped',
    ]);
  });

  test('is so by who may edit checklists of its schema alone', async ({ workflows: { edited, graphOf }, portal }) => {
    const ChecklistId = await portal.saved();
    expect((await portal.post('workflows/create', { ChecklistId }, portal.runner)).status).toBe(403);
    expect((await portal.get(`workflows/details/${ChecklistId}`)).status).toBe(404);
    const Id = await edited();
    expect((await portal.get(`workflows/details/${Id}`, portal.runner)).body.result).toMatchObject({
      CanEdit: false,
      CanRun: true,
    });
    expect((await portal.get(`workflows/details/${Id}`, portal.stranger)).status).toBe(404);
    const Graph = await graphOf(Id);
    const elsewhere = await signedInUser(portal.app, [
      { right: 'sk.EditChecklist', Schema: 'Sales' },
      { right: 'sk.RunActivity', Schema: 'Finance' },
    ]);
    expect((await portal.post('workflows/update', { Id, Version: 1, Graph }, elsewhere)).status).toBe(403);
    expect((await portal.post('workflows/check', { Id, Graph }, elsewhere)).status).toBe(403);
  });
});

describe('a save', () => {
  test('is a new version, and never overwrites what somebody else has saved', async ({
    workflows: { edited, graphOf, save },
    portal: { get },
  }) => {
    const Id = await edited();
    const Graph = await graphOf(Id);
    Graph.Steps[1]!['Name'] = 'Write the report';
    expect((await save(Id, Graph, { ChangeDescription: 'Clearer' })).body).toEqual({ result: { Id, Version: 2 } });
    const late = await save(Id, Graph);
    expect([late.status, late.body.message]).toEqual([
      409,
      expect.stringContaining('Another user saved this workflow'),
    ]);
    const list = (await get(`workflows/versions/${Id}`)).body.result;
    expect(list).toMatchObject({
      Name: 'Month-end close',
      Versions: [
        { Version: 2, ChangeDescription: 'Clearer', Steps: 2 },
        { Version: 1, ChangeDescription: 'Created from the checklist' },
      ],
    });
    const first = (await get(`workflows/details/${Id}/1`)).body.result;
    expect(first).toMatchObject({ Version: 1, NewestVersion: 2, Graph: { Steps: [{}, { Name: 'Report' }] } });
    expect((await get(`workflows/details/${Id}/3`)).status).toBe(404);
    const { Changes } = (await get(`workflows/compare/${Id}/1/2`)).body.result;
    expect(Changes).toEqual([
      {
        Kind: 'Changed',
        Step: expect.any(String),
        Name: 'Write the report',
        What: 'Name',
        Before: 'Report',
        After: 'Write the report',
      },
    ]);
  });

  test('may run an activity twice, hand an output on, and be seen by who may run one of the new activities', async ({
    workflows: { edited, graphOf, save },
    portal: { details, get },
  }) => {
    const Id = await edited();
    const Graph = await graphOf(Id);
    const [collect] = Graph.Steps;
    const again = {
      ...collect,
      Key: 'again',
      Name: 'Collect again',
      After: [{ Step: collect!['Key'], When: 'always' }],
      Inputs: [
        { Input: 'Month', From: { Kind: 'Input', Name: 'Month' } },
        { Input: 'Limit', From: { Kind: 'Output', Step: collect!['Key'], Name: 'Total' } },
      ],
    };
    const Steps = [{ ...collect, OnFailure: 'Continue', MayRepeat: true }, again];
    const answer = await save(Id, { Inputs: Graph.Inputs.slice(0, 2), Steps });
    expect([answer.status, answer.body]).toEqual([200, { result: { Id, Version: 2 } }]);
    const { Activities, Inputs } = await details(Id);
    expect(Activities).toMatchObject([{ Name: 'Collect' }]);
    expect(Inputs.map(({ InputName }: { InputName: string }) => InputName)).toEqual(['Month', 'Limit']);
    const { Changes } = (await get(`workflows/compare/${Id}/1/2`)).body.result;
    expect(Changes.map(({ Kind, Name, What }: Record<string, string>) => [Kind, Name, What])).toEqual([
      ['Removed', 'Rate', 'Input'],
      ['Removed', 'Papers', 'Input'],
      ['Removed', 'Report', ''],
      ['Changed', 'Collect', 'On failure'],
      ['Changed', 'Collect', 'Run again if interrupted'],
      ['Added', 'Collect again', ''],
    ]);
  });

  const step = (graph: EditedGraph, index: number) => graph.Steps[index] as Record<string, never>;
  const set = (graph: EditedGraph, index: number, more: object): void => void Object.assign(step(graph, index), more);
  test.for<[string, (graph: EditedGraph) => void, string | RegExp]>([
    ['no steps', (g: EditedGraph) => void (g.Steps = []), 'A workflow must contain at least one step.'],
    [
      'a cycle',
      (g: EditedGraph) => set(g, 0, { After: [{ Step: step(g, 1)['Key'], When: 'success' }] }),
      "Collect: The steps 'Collect' → 'Report' → 'Collect' wait for each other",
    ],
    [
      'a step after one there is not',
      (g: EditedGraph) => set(g, 1, { After: [{ Step: 'x', When: 'success' }] }),
      'Report: It comes after a step that does not exist',
    ],
    ['a step without a name', (g: EditedGraph) => set(g, 0, { Name: ' ' }), ' : A step must have a name'],
    [
      'two steps of one key',
      (g: EditedGraph) => set(g, 1, { Key: step(g, 0)['Key'], After: [] }),
      /Two steps have the key/,
    ],
    [
      'a mapping that is missing',
      (g: EditedGraph) => set(g, 0, { Inputs: [] }),
      "Collect: All inputs must be mapped. 'Month', 'Limit' is not",
    ],
    [
      'an input of the activity there is not',
      (g: EditedGraph) =>
        void (g.Steps[0]!['Inputs'] as object[]).push({ Input: 'No', From: { Kind: 'Input', Name: 'Month' } }),
      "Collect: The activity 'Collect' has no input 'No'",
    ],
    [
      'an activity there is not',
      (g: EditedGraph) => set(g, 0, { ActivityId: 999_999 }),
      'Collect: There is no such activity',
    ],
    [
      'an output of a step that does not come before',
      (g: EditedGraph) =>
        set(g, 0, {
          Inputs: [
            { Input: 'Month', From: { Kind: 'Input', Name: 'Month' } },
            { Input: 'Limit', From: { Kind: 'Output', Step: step(g, 1)['Key'], Name: 'Total' } },
          ],
        }),
      /which is not an earlier step/,
    ],
    [
      'an input nobody takes',
      (g: EditedGraph) => void g.Inputs.push({ Name: 'Spare' }),
      "No step uses the input 'Spare'",
    ],
    [
      'a failure that is not handled',
      (g: EditedGraph) => set(g, 0, { OnFailure: 'Handled' }),
      'Collect: Its failure is set to be handled, but no step follows it on failure',
    ],
    [
      'a step after a failure that stops all',
      (g: EditedGraph) => set(g, 1, { After: [{ Step: step(g, 0)['Key'], When: 'failure' }] }),
      /can follow it on failure/,
    ],
    [
      'inputs of two types under one name',
      (g: EditedGraph) =>
        set(g, 1, {
          Inputs: [
            { Input: 'Period', From: { Kind: 'Input', Name: 'Limit' } },
            { Input: 'Rate', From: { Kind: 'Input', Name: 'Rate' } },
            { Input: 'Papers', From: { Kind: 'Input', Name: 'Papers' } },
          ],
        }),
      "Inputs of different types cannot be mapped to the same name: 'Limit'",
    ],
  ])(
    'is refused with %s',
    async ([, change, message], { workflows: { edited, graphOf, save, workflow }, portal: { post } }) => {
      const Id = await edited();
      const Graph = await graphOf(Id);
      change(Graph);
      const { status, body } = await save(Id, Graph);
      expect(status).toBe(400);
      if (typeof message === 'string') expect(body.message).toBe(message);
      else expect(body.message).toMatch(message);
      const { Faults } = (await post('workflows/check', { Id, Graph })).body.result;
      expect(Faults.length).toBeGreaterThan(0);
      expect((await workflow(Id)).NewestVersion).toBe(1);
    },
  );

  test('is refused with an activity that who saves may neither run nor edit, as with one there is not, and not with what was in it', async ({
    workflows: { edited, graphOf, save },
    portal,
  }) => {
    const Id = await edited();
    const Graph = await graphOf(Id);
    const narrow = await signedInUser(portal.app, [
      { right: 'sk.EditChecklist', Schema: 'Finance' },
      { right: 'sk.RunActivity', Schema: 'Finance' },
    ]);
    const hidden = { ...Graph.Steps[0], Key: 'other', Name: 'Sell', ActivityId: portal.activities.other, Inputs: [] };
    const foreign = { ...Graph, Steps: [...Graph.Steps, hidden] };
    const refused = await portal.post('workflows/update', { Id, Version: 1, Graph: foreign }, narrow);
    expect([refused.status, refused.body.message]).toEqual([400, 'Sell: There is no such activity']);
    const checked = await portal.post('workflows/check', { Id, Graph: foreign }, narrow);
    expect(checked.body.result.Faults).toMatchObject([{ Step: 'other', Message: 'There is no such activity' }]);
    expect((await save(Id, foreign)).status).toBe(200);
    const savedAgain = await portal.post('workflows/update', { Id, Version: 2, Graph: foreign }, narrow);
    expect([savedAgain.status, savedAgain.body.result?.Version]).toEqual([200, 3]);
    // A workflow grants no rights: people who may not run one of its activities learn which one.
    const started = await portal.post('checklists/start', { ChecklistId: Id, WorkflowId: Id, Inputs: [] }, narrow);
    expect(started.body.message).toContain("'Other'");
  });

  test('is refused with fields that a graph does not have', async ({ workflows: { edited, graphOf, save } }) => {
    const Id = await edited();
    const Graph = await graphOf(Id);
    expect((await save(Id, { ...Graph, Colour: 'red' } as never)).status).toBe(400);
    expect((await save(Id, { ...Graph, Steps: [{ ...Graph.Steps[0], Kind: 'Else' }] })).status).toBe(400);
  });

  // Must be the last test: the others need the activity as it was.
  test('is refused with an activity that is no longer active, or no longer takes what it took', async ({
    workflows: { edited, graphOf, save, workflow },
    portal,
  }) => {
    const Id = await edited();
    const Graph = await graphOf(Id);
    const { knex } = portal.app.database;
    const { report } = portal.activities;
    await knex('Activities').where({ Id: report }).update({ IsActive: false });
    const inactive = await save(Id, Graph);
    await knex('Activities').where({ Id: report }).update({ IsActive: true });
    expect([inactive.status, inactive.body.message]).toEqual([400, "Report: The activity 'Report' is not active"]);
    const { Version } = await knex('Activities').where({ Id: report }).first('Version');
    await insertVersion(knex, report, Version + 1, { ...EMPTY_DEFINITION, inputs: [input('Period')] });
    const changed = await save(Id, Graph);
    const { Faults } = (await portal.post('workflows/check', { Id, Graph })).body.result;
    expect([changed.status, changed.body.message]).toEqual([400, `Report: ${Faults[0].Message}`]);
    expect(Faults.map(({ Message }: { Message: string }) => Message)).toEqual([
      "The activity 'Report' has no input 'Rate'",
      "The activity 'Report' has no input 'Papers'",
      "Inputs of different types cannot be mapped to the same name: 'Month'",
    ]);
    expect((await workflow(Id)).NewestVersion).toBe(1);
  });
});
