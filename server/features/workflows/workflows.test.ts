/** Workflows made, saved, compared, exported and imported. */
import { describe, expect, test } from 'vitest';
import { checklistPortal } from '#test/support/checklist-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const portal = checklistPortal();
const { activities, saved, details, get, post } = portal;

const edited = async (): Promise<number> => {
  const ChecklistId = await saved();
  const { status, body } = await post('workflows/create', { ChecklistId });
  expect([status, body]).toEqual([200, { result: { Id: ChecklistId, Version: 1 } }]);
  return ChecklistId;
};
const workflow = async (id: number) => (await get(`workflows/details/${id}`)).body.result;
type Graph = { Inputs: { Name: string }[]; Steps: Record<string, unknown>[] };
const graphOf = async (id: number): Promise<Graph> => (await workflow(id)).Graph;
const save = async (Id: number, Graph: Graph, more: object = {}) =>
  post('workflows/update', { Id, Version: 1, Graph, ...more });

describe('a checklist edited as a workflow', () => {
  test('is a graph of its activities, with the same inputs', async () => {
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

  test('tells what its activities ask for and give, so that whoever edits can hand it on', async () => {
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

  test('is that only once, and not of a checklist whose inputs are not mapped', async () => {
    const Id = await edited();
    expect((await post('workflows/create', { ChecklistId: Id })).body).toEqual({ result: { Id, Version: 1 } });
    const unmapped = await post('workflows/create', { ChecklistId: await saved({ Inputs: null }) });
    expect([unmapped.status, unmapped.body.message]).toEqual([
      409,
      'The checklist cannot be run because some inputs have not been mapped',
    ]);
  });

  test('is so by who may edit checklists of its schema alone', async () => {
    const ChecklistId = await saved();
    expect((await post('workflows/create', { ChecklistId }, portal.runner)).status).toBe(403);
    expect((await get(`workflows/details/${ChecklistId}`)).status).toBe(404);
    const Id = await edited();
    expect((await get(`workflows/details/${Id}`, portal.runner)).body.result).toMatchObject({
      CanEdit: false,
      CanRun: true,
    });
    expect((await get(`workflows/details/${Id}`, portal.stranger)).status).toBe(404);
    const Graph = await graphOf(Id);
    const elsewhere = await signedInUser(portal.app, [
      { right: 'sk.EditChecklist', Schema: 'Sales' },
      { right: 'sk.RunActivity', Schema: 'Finance' },
    ]);
    expect((await post('workflows/update', { Id, Version: 1, Graph }, elsewhere)).status).toBe(403);
    expect((await post('workflows/check', { Id, Graph }, elsewhere)).status).toBe(403);
  });
});

describe('a save', () => {
  test('is a version of its own, and not over what somebody else saved meanwhile', async () => {
    const Id = await edited();
    const Graph = await graphOf(Id);
    Graph.Steps[1]!['Name'] = 'Write the report';
    expect((await save(Id, Graph, { ChangeDescription: 'Clearer' })).body).toEqual({ result: { Id, Version: 2 } });
    const late = await save(Id, Graph);
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('Somebody else has saved')]);
    const list = (await get(`workflows/versions/${Id}`)).body.result;
    expect(list).toMatchObject({
      Name: 'Month-end close',
      Versions: [
        { Version: 2, ChangeDescription: 'Clearer', Steps: 2 },
        { Version: 1, ChangeDescription: 'Made from the checklist' },
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

  test('may run an activity twice, hand an output on, and be seen by who may run one of the new activities', async () => {
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
    const Steps = [{ ...collect, OnFailure: 'Continue' }, again];
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
      ['Added', 'Collect again', ''],
    ]);
  });

  const step = (graph: Graph, index: number) => graph.Steps[index] as Record<string, never>;
  const set = (graph: Graph, index: number, more: object): void => void Object.assign(step(graph, index), more);
  test.each([
    ['no steps', (g: Graph) => void (g.Steps = []), 'A workflow must contain at least one step.'],
    [
      'a cycle',
      (g: Graph) => set(g, 0, { After: [{ Step: step(g, 1)['Key'], When: 'success' }] }),
      "Collect: The steps 'Collect' → 'Report' → 'Collect' wait for each other",
    ],
    [
      'a step after one there is not',
      (g: Graph) => set(g, 1, { After: [{ Step: 'x', When: 'success' }] }),
      'Report: It comes after a step that there is not',
    ],
    ['a step without a name', (g: Graph) => set(g, 0, { Name: ' ' }), ' : A step must have a name'],
    ['two steps of one key', (g: Graph) => set(g, 1, { Key: step(g, 0)['Key'], After: [] }), /Two steps have the key/],
    [
      'a mapping that is missing',
      (g: Graph) => set(g, 0, { Inputs: [] }),
      "Collect: All inputs must be mapped. 'Month', 'Limit' is not",
    ],
    [
      'an input of the activity there is not',
      (g: Graph) =>
        void (g.Steps[0]!['Inputs'] as object[]).push({ Input: 'No', From: { Kind: 'Input', Name: 'Month' } }),
      "Collect: The activity 'Collect' has no input 'No'",
    ],
    [
      'an activity there is not',
      (g: Graph) => set(g, 0, { ActivityId: 999_999 }),
      'Collect: There is no such activity',
    ],
    [
      'an output of a step that does not come before',
      (g: Graph) =>
        set(g, 0, {
          Inputs: [
            { Input: 'Month', From: { Kind: 'Input', Name: 'Month' } },
            { Input: 'Limit', From: { Kind: 'Output', Step: step(g, 1)['Key'], Name: 'Total' } },
          ],
        }),
      /which does not come before it/,
    ],
    ['an input nobody takes', (g: Graph) => void g.Inputs.push({ Name: 'Spare' }), "No step takes the input 'Spare'"],
    [
      'a failure that is not handled',
      (g: Graph) => set(g, 0, { OnFailure: 'Handled' }),
      'Collect: Its failure is to be handled, but no step comes after it on failure',
    ],
    [
      'a step after a failure that stops all',
      (g: Graph) => set(g, 1, { After: [{ Step: step(g, 0)['Key'], When: 'failure' }] }),
      /can begin on failure/,
    ],
    [
      'inputs of two types under one name',
      (g: Graph) =>
        set(g, 1, {
          Inputs: [
            { Input: 'Period', From: { Kind: 'Input', Name: 'Limit' } },
            { Input: 'Rate', From: { Kind: 'Input', Name: 'Rate' } },
            { Input: 'Papers', From: { Kind: 'Input', Name: 'Papers' } },
          ],
        }),
      "Inputs of different types cannot be mapped to the same name: 'Limit'",
    ],
  ])('is refused with %s', async (_, change, message) => {
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
  });

  test('is refused with fields that a graph does not have', async () => {
    const Id = await edited();
    const Graph = await graphOf(Id);
    expect((await save(Id, { ...Graph, Colour: 'red' } as never)).status).toBe(400);
    expect((await save(Id, { ...Graph, Steps: [{ ...Graph.Steps[0], Kind: 'Else' }] })).status).toBe(400);
  });
});

describe('a workflow with a decision and a step for each row', () => {
  async function branched(): Promise<{
    Id: number;
    Graph: Graph;
    decision: Record<string, unknown>;
    each: Record<string, unknown>;
  }> {
    const Id = await edited();
    const { Inputs, Steps } = await graphOf(Id);
    const [collect, report] = Steps;
    const output = (Name: string) => ({ Kind: 'Output', Step: collect!['Key'], Name });
    const decision: Record<string, unknown> = {
      Kind: 'Decision',
      Key: 'enough',
      Name: 'Is it enough?',
      After: [{ Step: collect!['Key'], When: 'success' }],
      Join: 'AllSucceeded',
      OnFailure: 'Stop',
      Condition: 'Total > 10',
      Values: [{ Name: 'Total', From: output('Total') }],
    };
    const each: Record<string, unknown> = {
      ...report,
      Kind: 'ForEach',
      After: [{ Step: 'enough', When: 'yes' }],
      Inputs: [
        { Input: 'Period', From: { Kind: 'Column', Name: 'name' } },
        { Input: 'Rate', From: { Kind: 'Column', Name: 'Amount' } },
        { Input: 'Papers', From: { Kind: 'Input', Name: 'Papers' } },
      ],
      Rows: output('Lines'),
      KeyColumn: 'Name',
      AtOnce: 4,
      StopAfterFailures: null,
    };
    const used = Inputs.filter(({ Name }) => Name !== 'Rate');
    return { Id, Graph: { Inputs: used, Steps: [collect!, decision, each] }, decision, each };
  }

  test('is saved, compared and exported', async () => {
    const { Id, Graph, decision } = await branched();
    expect((await save(Id, Graph)).body).toEqual({ result: { Id, Version: 2 } });
    decision['Condition'] = 'Total > 20';
    expect((await save(Id, Graph, { Version: 2 })).status).toBe(200);
    const { Changes } = (await get(`workflows/compare/${Id}/2/3`)).body.result;
    expect(Changes).toMatchObject([
      { Name: 'Is it enough?', What: 'Condition', Before: 'Total > 10', After: 'Total > 20' },
    ]);
    const token = (await get(`workflows/export/${Id}/3`)).body.result;
    const { payload } = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    const copy = await post('workflows/import', { Content: payload, Schema: 'Finance' });
    expect(copy.status).toBe(200);
    expect((await graphOf(copy.body.result.Id)).Steps).toEqual(Graph.Steps);
  });

  test.each([
    ['a condition that cannot be read', { Condition: 'Total >' }, {}, /Is it enough\?: /],
    ['no condition', { Condition: '' }, {}, 'Is it enough?: A decision must have a condition'],
    ['a condition on a table', { Values: 'Lines' }, {}, "Is it enough?: 'Total' is not a single value"],
    ['a column there is not', {}, { KeyColumn: 'Code' }, "Report: 'Lines' has no column 'Code'"],
    ['rows of what is no table', {}, { Rows: 'Total' }, "Report: 'Total' is no table with columns"],
    [
      'a column of another type',
      {},
      { Column: 'Amount' },
      "Report: The column 'Amount' cannot become 'Period': they are of different types",
    ],
    [
      'a step after a decision on success',
      {},
      { After: [{ Step: 'enough', When: 'success' }] },
      "Report: 'Is it enough?' is a decision: a step comes after it on yes or no",
    ],
  ])('is refused with %s', async (_, ofDecision, ofEach, message) => {
    const { Id, Graph, decision, each } = await branched();
    const from = (Name: string) => ({ ...(each['Rows'] as object), Name });
    const { Values, ...decided } = ofDecision as Record<string, string>;
    Object.assign(decision, decided, Values ? { Values: [{ Name: 'Total', From: from(Values) }] } : {});
    const { Rows, Column, ...eachOf } = ofEach as Record<string, string>;
    Object.assign(each, eachOf, Rows ? { Rows: from(Rows) } : {});
    if (Column) (each['Inputs'] as { From: { Name: string } }[])[0]!.From.Name = Column;
    const { status, body } = await save(Id, Graph);
    expect(status).toBe(400);
    if (typeof message === 'string') expect(body.message).toBe(message);
    else expect(body.message).toMatch(message);
  });
});

describe('a file of a workflow', () => {
  async function exported(): Promise<string> {
    const Id = await edited();
    const token = (await get(`workflows/export/${Id}/1`, portal.runner)).body.result;
    const file = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    expect(file.headers['content-disposition']).toContain('Month-end close 1.workflow.json');
    return file.payload;
  }
  const imported = (Content: string, more: object = {}) =>
    post('workflows/import', { Content, Schema: 'Finance', ...more });

  test('names activities instead of numbers, and is a new workflow where it is imported', async () => {
    const Content = await exported();
    expect(JSON.parse(Content)).toMatchObject({
      Format: 'runsheet-workflow',
      FormatVersion: 1,
      Name: 'Month-end close',
      Steps: [{ Activity: { Schema: 'Finance', Name: 'Collect' } }, {}],
    });
    expect(Content).not.toContain('ActivityId');
    const UniqueId = 'import of a workflow';
    const answers = await Promise.all([
      imported(Content, { Name: 'Copy', UniqueId }),
      imported(Content, { Name: 'Copy', UniqueId }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [{ Id }, other] = answers.map(({ body }) => body.result);
    expect(other.Id).toBe(Id);
    expect(await workflow(Id)).toMatchObject({ Name: 'Copy', Version: 1, Faults: [], ChangeDescription: 'Imported' });
    expect((await details(Id)).Inputs).toHaveLength(4);
  });

  test.each([
    ['no JSON', () => '<xml/>', 'The file is not a workflow that was exported: it is no JSON'],
    ['another file', () => '{"Format":"other"}', /^The file is not a workflow that was exported: /],
    ['a list', () => '[]', /^The file is not a workflow that was exported: /],
    [
      'fields it does not have',
      (file: string) => JSON.stringify({ ...JSON.parse(file), __proto__x: 1 }),
      /^The file is not a workflow/,
    ],
    ['deep nesting', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /^The file is not a workflow/],
    [
      'activities that are not there',
      (file: string) => file.replaceAll('"Collect"', '"Gone"'),
      "These activities of the workflow are not there: 'Gone' in Finance",
    ],
    ['a graph that cannot be run', (file: string) => file.replace('"Limit"', '"Other"'), /./],
  ])('is refused with %s', async (_, change, message) => {
    const { status, body } = await imported(change(await exported()));
    expect(status).toBe(400);
    if (typeof message === 'string') expect(body.message).toBe(message);
    else expect(body.message).toMatch(message);
  });

  test('is imported into schemas in which one may edit checklists alone', async () => {
    const Content = await exported();
    const author = await signedInUser(portal.app, [{ right: 'sk.EditChecklist', Schema: 'Finance' }]);
    expect((await post('workflows/import', { Content, Schema: 'Sales' }, author)).status).toBe(403);
    const unseen = await post('workflows/import', { Content, Schema: 'Finance' }, author);
    expect([unseen.status, unseen.body.message]).toEqual([400, 'Collect: There is no such activity']);
  });
});

describe('a workflow with an approval', () => {
  async function withApproval(more: object = {}) {
    const Id = await edited();
    const { Inputs, Steps } = await graphOf(Id);
    const [collect, report] = Steps;
    const knows = await signedInUser(portal.app);
    await portal.app.database.knex('Roles').insert({ Name: `Controllers of ${Id}`, IsActive: true });
    await portal.app.database.knex('RoleUsers').insert({ RoleName: `Controllers of ${Id}`, UserId: knows.UserId });
    const approval: Record<string, unknown> = {
      Kind: 'Approval',
      Key: 'ok',
      Name: 'Is it right?',
      After: [{ Step: collect!['Key'], When: 'success' }],
      Join: 'AllSucceeded',
      OnFailure: 'Stop',
      Roles: [`Controllers of ${Id}`],
      UserIds: [portal.runner.UserId],
      Needed: 2,
      StarterMayApprove: false,
      Text: 'Please look at the total',
      Values: [
        { Name: 'Total', From: { Kind: 'Output', Step: collect!['Key'], Name: 'Total' } },
        { Name: 'Month', From: { Kind: 'Input', Name: 'Month' } },
      ],
      ExpiresAfterHours: 48,
      OnExpiry: 'Fail',
      ...more,
    };
    const Graph = { Inputs, Steps: [collect!, approval, { ...report, After: [{ Step: 'ok', When: 'success' }] }] };
    return { Id, Graph, approval };
  }

  test('is saved, compared and exported with the people by their names', async () => {
    const { Id, Graph, approval } = await withApproval();
    const answer = await save(Id, Graph);
    expect([answer.status, answer.body]).toEqual([200, { result: { Id, Version: 2 } }]);
    const before = { ...approval };
    Object.assign(approval, { Needed: 1, Text: 'Look at it', ExpiresAfterHours: null, UserIds: [] });
    expect((await save(Id, Graph, { Version: 2 })).status).toBe(200);
    const { Changes } = (await get(`workflows/compare/${Id}/2/3`)).body.result;
    expect(Changes.map(({ What, Before, After }: Record<string, string>) => [What, Before, After])).toEqual([
      ['People who decide', String(portal.runner.UserId), ''],
      ['Approvals needed', '2', '1'],
      ['Text', 'Please look at the total', 'Look at it'],
      ['Expires', 'after 48 hours', 'never'],
    ]);
    const token = (await get(`workflows/export/${Id}/2`)).body.result;
    const { payload } = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    expect(JSON.parse(payload).Steps[1]).toMatchObject({ Users: [portal.runner.UserName] });
    const copy = await post('workflows/import', { Content: payload, Schema: 'Finance' });
    expect([copy.status, (await graphOf(copy.body.result.Id)).Steps[1]]).toEqual([200, before]);
    const elsewhere = payload.replace(`"${portal.runner.UserName}"`, '"nobody here"');
    expect((await post('workflows/import', { Content: elsewhere, Schema: 'Finance' })).body.message).toBe(
      "These people, who decide approvals of the workflow, are not there: 'nobody here'",
    );
  });

  test.each([
    ['nobody named', { Roles: [], UserIds: [] }, 'An approval must name the roles or people who decide'],
    ['too few people', { Needed: 3 }, 'It needs 3 people who approve, and only 2 may'],
    [
      'a role that is not there',
      { Roles: ['Nobody'], Needed: 1 },
      "The role 'Nobody' cannot decide any more: it is not there, or disabled",
    ],
    ['no text', { Text: ' ' }, 'An approval must say what is to be approved'],
    [
      'a value there is not',
      { Values: [{ Name: 'Rate', From: { Kind: 'Input', Name: 'No' } }] },
      "'Rate' takes the input 'No', which there is not",
    ],
  ])('is refused with %s', async (_, more, message) => {
    const { Id, Graph } = await withApproval(more);
    const { status, body } = await save(Id, Graph);
    expect([status, body.message]).toEqual([400, `Is it right?: ${message}`]);
  });

  test('is refused where the people were disabled, or their role has nobody else', async () => {
    const { Id, Graph } = await withApproval({ Roles: [], Needed: 1 });
    const { knex } = portal.app.database;
    const { UserId, UserName } = portal.runner;
    await knex('Users').where({ UserId }).update({ Enabled: false });
    const { body } = await post('workflows/check', { Id, Graph });
    await knex('Users').where({ UserId }).update({ Enabled: true });
    expect(body.result.Faults.map(({ Message }: { Message: string }) => Message)).toEqual([
      `'${UserName}' cannot decide any more: it is not there, or disabled`,
      'Nobody can approve: the roles have no members who may decide, and no such person is named',
    ]);
  });

  test('offers authors the roles and people that there are', async () => {
    const { UserId, UserName } = portal.runner;
    const found = (await post('workflows/approvers', { Search: portal.editor.UserName, UserIds: [UserId] })).body
      .result;
    expect(found.Users.map((user: { UserName: string }) => user.UserName)).toEqual(
      expect.arrayContaining([UserName, portal.editor.UserName]),
    );
    expect(found.Roles.length).toBeGreaterThan(0);
    expect((await post('workflows/approvers', {}, portal.runner)).status).toBe(403);
  });
});
