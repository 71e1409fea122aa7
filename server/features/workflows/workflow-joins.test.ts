/** Tests workflows with decisions and steps per row: saving, comparing, exporting, and refusing invalid ones. */
import { describe, expect } from 'vitest';
import type { OutputDefinition } from '#server/executors/activity-definition.ts';
import { LINES } from '#test/support/checklist-portal.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertVersion } from '#test/support/runs.ts';
import { test as base } from '#test/support/fixtures/workflow-portal.ts';
import type { EditedGraph } from '#test/support/workflow-portal.ts';

const test = base.extend('branched', { scope: 'file' }, ({ workflows: { edited, graphOf } }) => {
  async function branched(): Promise<{
    Id: number;
    Graph: EditedGraph;
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

  return branched;
});

describe('a workflow with a decision and a step for each row', () => {
  test('is saved, compared and exported', async ({ workflows: { save, graphOf }, portal, branched }) => {
    const { Id, Graph, decision } = await branched();
    expect((await save(Id, Graph)).body).toEqual({ result: { Id, Version: 2 } });
    decision['Condition'] = 'Total > 20';
    expect((await save(Id, Graph, { Version: 2 })).status).toBe(200);
    const { Changes } = (await portal.get(`workflows/compare/${Id}/2/3`)).body.result;
    expect(Changes).toMatchObject([
      { Name: 'Is it enough?', What: 'Condition', Before: 'Total > 10', After: 'Total > 20' },
    ]);
    const token = (await portal.get(`workflows/export/${Id}/3`)).body.result;
    const { payload } = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    const copy = await portal.post('workflows/import', { Content: payload, Schema: 'Finance' });
    expect(copy.status).toBe(200);
    expect((await graphOf(copy.body.result.Id)).Steps).toEqual(Graph.Steps);
  });

  test.for([
    ['a condition that cannot be read', { Condition: 'Total >' }, {}, /Is it enough\?: /],
    ['no condition', { Condition: '' }, {}, 'Is it enough?: A decision must have a condition'],
    ['a condition on a table', { Values: 'Lines' }, {}, "Is it enough?: 'Total' is not a single value"],
    ['a column there is not', {}, { KeyColumn: 'Code' }, "Report: 'Lines' has no column 'Code'"],
    ['rows of what is no table', {}, { Rows: 'Total' }, "Report: 'Total' is not a table with columns"],
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
      "Report: 'Is it enough?' is a decision: a step after it must follow yes or no",
    ],
  ] as const)('is refused with %s', async ([, ofDecision, ofEach, message], { workflows: { save }, branched }) => {
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

  test('is not started with an output that no longer exists or does not fit: nothing starts', async ({
    workflows: { save },
    portal,
    branched,
  }) => {
    const { Id, Graph } = await branched();
    expect((await save(Id, Graph)).status).toBe(200);
    const start = () =>
      portal.post('checklists/start', {
        ChecklistId: Id,
        WorkflowId: Id,
        Inputs: [
          { ChecklistInputName: 'Month', Value: '"May"' },
          { ChecklistInputName: 'Limit', Value: '5' },
        ],
      });
    const { knex } = portal.app.database;
    const [Version] = (await knex('Activities').where({ Id: portal.activities.collect }).pluck('Version')) as number[];
    let made = 0;
    const collect = (outputs: OutputDefinition[]) =>
      insertVersion(knex, portal.activities.collect, Version! + (made += 1), {
        ...EMPTY_DEFINITION,
        inputs: [input('Month', { CellUsages: ['Text'] }), input('Limit')],
        outputs,
      });
    const OUTDATED = 'The workflow cannot be run, because activities have changed since it was saved. ';
    for (const [outputs, why] of [
      [
        [output('Total'), output('Items', LINES)],
        "Report: For its rows, it uses 'Lines', which 'Collect' does not return",
      ],
      [[output('Lines', LINES)], "Is it enough?: 'Total' uses 'Total', which 'Collect' does not return"],
      [
        [output('Total'), output('Lines', { ...LINES, ColumnHeaderValues: ['Account', 'Amount'] })],
        "Report: For its rows, it uses the column 'name' of 'Lines', which has no such column",
      ],
    ] as const) {
      await collect([...outputs]);
      const { status, body } = await start();
      expect([status, body.message]).toEqual([409, OUTDATED + why]);
    }
    await collect([output('Total'), output('Lines', LINES)]);
    expect((await start()).status).toBe(200);
    expect(await knex('ChecklistRuns').where({ ChecklistId: Id })).toHaveLength(1);
  });

  test('is not started with rows that are not unique, or are too many, in a table that was entered', async ({
    workflows: { save },
    portal: { post },
    branched,
  }) => {
    const { Id, Graph, each } = await branched();
    Object.assign(each, { Rows: { Kind: 'Input', Name: 'People' }, After: [] });
    Graph.Inputs.push({ Name: 'People' });
    const saved = await save(Id, Graph);
    expect([saved.status, saved.body.message]).toEqual([200, undefined]);
    const start = (rows: unknown[][]) =>
      post('checklists/start', {
        ChecklistId: Id,
        WorkflowId: Id,
        Inputs: [
          { ChecklistInputName: 'Month', Value: '"May"' },
          { ChecklistInputName: 'Limit', Value: '5' },
          { ChecklistInputName: 'People', Value: JSON.stringify(rows) },
        ],
      });
    const twice = await start([
      ['Ada', 1],
      ['Ada', 2],
    ]);
    expect([twice.status, twice.body.modelState]).toEqual([
      400,
      { People: ['Report: Two rows are named "Ada" in the column "Name", but row names must be unique'] },
    ]);
    const many = await start(Array.from({ length: 10_001 }, (_, row) => [`Person ${row}`, row]));
    expect(many.status).toBe(400);
    expect(Object.keys(many.body.modelState)).toEqual(['People']);
    expect((await start([['Ada', 1]])).status).toBe(200);
  });
});
