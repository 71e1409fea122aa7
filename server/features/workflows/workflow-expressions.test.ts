/** Saving, comparing, exporting and starting workflows whose values are constants and formulas. */
import { describe, expect } from 'vitest';
import { checklistStarts, value } from '#test/support/checklist-starts.ts';
import { test as base } from '#test/support/fixtures/workflow-portal.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertVersion } from '#test/support/runs.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { EditedGraph } from '#test/support/workflow-portal.ts';

interface AskedInput {
  InputName: string;
  ActivityInputs: { WorkflowDefault?: string; Info: { AllowDefaultValue: boolean; DefaultValue: string | null } }[];
}

interface StoredInput {
  ChecklistInputName: string;
  Value: string | null;
}

const constant = (Value: unknown) => ({ Kind: 'Constant', Value });
const formula = (Formula: string) => ({ Kind: 'Expression', Formula });

const test = base.extend('values', { scope: 'file' }, ({ portal, workflows: { edited, graphOf, save } }) => {
  /** Saves a workflow in which a value fills an input of the second step, Report. */
  async function saved(Input: string, From: object, change: (graph: EditedGraph) => void = () => {}) {
    const Id = await edited();
    const Graph = await graphOf(Id);
    const report = Graph.Steps[1] as { Inputs: { Input: string; From: object }[] };
    report.Inputs = report.Inputs.map((one) => (one.Input === Input ? { Input, From } : one));
    Graph.Inputs = Graph.Inputs.filter(({ Name }) => JSON.stringify(Graph.Steps).includes(`"Name":"${Name}"`));
    change(Graph);
    const { status, body } = await save(Id, Graph);
    return { Id, status, body, Graph };
  }

  const starts = checklistStarts(portal);

  /** Starts a workflow whose input Month has a default that reads Year, and ends the run. */
  async function endedRun(...more: object[]): Promise<number> {
    const { knex } = portal.app.database;
    const { Id } = await saved('Rate', formula('Inputs.[Year]/100'), (graph) => {
      graph.Inputs = [
        { Name: 'Month', Default: formula('"Month of "&Inputs.[Year]') },
        { Name: 'Limit' },
        { Name: 'Papers' },
        { Name: 'Year', Type: 'Number' },
      ] as never;
    });
    const Inputs = [value('Limit', '1'), value('Papers', '[]'), value('Year', '2026'), ...more];
    const runId = await starts.started(Id, { WorkflowId: Id, Inputs });
    const end = { Status: 'Succeeded', EndTime: new Date() };
    await knex('ActivityRuns')
      .where('ChecklistRunId', runId)
      .update({ ...end, StartTime: new Date(), WaitsForSteps: false });
    await knex('ChecklistRuns').where('Id', runId).update(end);
    return runId;
  }

  /** The stored values of a run of a workflow, by input. */
  async function storedOf(Id: number): Promise<unknown[]> {
    const [run] = await starts.rows('ChecklistRuns', { Id });
    return JSON.parse(run.Inputs).map((one: StoredInput) => [one.ChecklistInputName, one.Value]);
  }

  return { saved, endedRun, storedOf, ...starts };
});

describe('a workflow', () => {
  test.for([
    ['Rate', constant(0.19)],
    ['Rate', formula('=[Collect].[Total]*0.1+SUM([Collect].[Lines][Amount])')],
    ['Rate', formula('Inputs.[Limit]/100')],
    ['Period', formula('Inputs.[Month]&" "&YEAR(TODAY())')],
    ['Period', constant('June')],
  ] as const)('fills %s by %j', async ([name, from], { values: { saved } }) => {
    expect((await saved(name, from)).body).toMatchObject({ result: { Version: 2 } });
  });

  test.for([
    ['Rate', constant('x'), "Report: The constant for 'Rate' must be a number"],
    ['Rate', constant(null), /^Report: The constant for 'Rate' is not valid: /],
    ['Papers', constant('x'), "Report: 'Papers' takes a file, so its value cannot be a constant"],
    [
      'Rate',
      formula('[Colect].[Total]'),
      /^Report: 'Rate' cannot be calculated by =\[Colect\].\[Total\]: there is no step 'Colect'\. Check/,
    ],
    ['Rate', formula('[Collect].[Sum]'), /uses 'Sum', which 'Collect' does not return$/],
    ['Rate', formula('[Report].[Total]'), /uses an output of 'Report', which is not an earlier step$/],
    [
      'Rate',
      formula('SUM([Collect].[Lines][Price])'),
      /'Lines' has no column 'Price'\. Its columns are 'Name', 'Amount'$/,
    ],
    ['Rate', formula('Inputs.[Papers]'), /'Papers' is a file, which a formula cannot read$/],
    ['Rate', formula('Inputs.[Year]'), /the workflow has no input 'Year'\. Check its spelling$/],
    ['Rate', formula('[Collect].[Total]&"%"'), /it returns a text, but a number is needed\. Convert a text with VALUE/],
    ['Period', formula('[Collect].[Total]'), /the value that it reads is of another type than the input$/],
    ['Rate', formula('A1*2'), /A1 is a cell, and a workflow has no cells\./],
    ['Rate', formula('SUMM(1)'), /There is no function SUMM\. Check its spelling$/],
    ['Rate', formula('(1+2'), /A \) is expected \(character 5\)$/],
    ['Rate', formula(''), /The formula is missing$/],
    ['Papers', formula('"x"'), /the input takes a file, which a formula cannot return/],
  ] as const)('is not saved with %s by %j', async ([name, from, message], { values: { saved } }) => {
    const { status, body } = await saved(name, from);
    expect(status).toBe(400);
    if (typeof message === 'string') expect(body.message).toBe(message);
    else expect(body.message).toMatch(message);
  });

  test('names what changed, and keeps its values in a file', async ({ values: { saved }, portal }) => {
    const { Id, Graph } = await saved('Rate', formula('=[Collect].[Total]*2'), (graph) => {
      const collect = graph.Steps[0] as { Inputs: object[] };
      collect.Inputs = [
        { Input: 'Month', From: constant('007') },
        { Input: 'Limit', From: constant(7) },
      ];
      graph.Inputs = graph.Inputs.filter(({ Name }) => Name !== 'Limit');
    });
    const { Changes } = (await portal.get(`workflows/compare/${Id}/1/2`)).body.result;
    expect(Changes).toContainEqual({
      Kind: 'Changed',
      Step: expect.any(String),
      Name: 'Report',
      What: "Input 'Rate'",
      Before: "input 'Rate'",
      After: '=[Collect].[Total]*2',
    });
    const token = (await portal.get(`workflows/export/${Id}/2`)).body.result;
    const Content = (await portal.app.http.inject({ url: `/api/files/download/${token}` })).payload;
    const { body } = await portal.post('workflows/import', { Content, Schema: 'Finance' });
    const imported = (await portal.get(`workflows/details/${body.result.Id}`)).body.result;
    expect([imported.Faults, imported.Graph]).toEqual([[], Graph]);
  });
});

describe('a start', () => {
  test('stores constants with the inputs of their step', async ({
    values: { saved, started, stepsOf, rows },
    portal,
  }) => {
    const { Id } = await saved('Rate', constant(0.19));
    const Inputs = [value('Month', '"June"'), value('Limit', '1'), value('Papers', '[]')];
    const [, report] = await stepsOf(await started(Id, { WorkflowId: Id, Inputs }));
    const [row] = await rows('RunInputs', {
      ActivityRunId: report.Id,
      ActivityParameterId: portal.inputs['report.Rate'],
    });
    expect(row).toMatchObject({ Value: '0.19', UseDefault: false });
  });

  test('takes the defaults of inputs for which nothing is entered', async ({
    values: { saved, started, rows },
    portal,
  }) => {
    const withDefaults = (graph: EditedGraph): void => {
      graph.Inputs = [
        { Name: 'Month', Default: formula('TEXT(DATE(Inputs.[Year],6,1),"mmmm")') },
        { Name: 'Limit', Default: constant(7) },
        { Name: 'Papers' },
        { Name: 'Year', Type: 'Number', Default: constant(2026) },
      ] as never;
    };
    const { Id, body } = await saved('Rate', formula('Inputs.[Year]/100'), withDefaults);
    expect(body).toMatchObject({ result: { Version: 2 } });
    const asked = (await portal.details(Id)).Inputs.map(({ InputName, ActivityInputs }: AskedInput) => [
      InputName,
      ActivityInputs[0]!.WorkflowDefault,
      ActivityInputs[0]!.Info.AllowDefaultValue,
      ActivityInputs[0]!.Info.DefaultValue,
    ]);
    expect(asked).toEqual([
      ['Month', 'Expression', true, null],
      ['Limit', 'Constant', true, '7'],
      ['Papers', undefined, expect.anything(), null],
      ['Year', 'Constant', true, '2026'],
    ]);
    const runId = await started(Id, { WorkflowId: Id, Inputs: [value('Papers', '[]')] });
    const [run] = await rows('ChecklistRuns', { Id: runId });
    const stored = JSON.parse(run.Inputs).map((one: StoredInput) => [one.ChecklistInputName, one.Value]);
    expect(stored).toEqual([
      ['Month', '"June"'],
      ['Limit', '7'],
      ['Papers', null],
      ['Year', '2026'],
    ]);
    const other = await started(Id, { WorkflowId: Id, Inputs: [value('Papers', '[]'), value('Limit', '9')] });
    expect((await rows('ChecklistRuns', { Id: other }))[0].Inputs).toContain('"Value":"9"');
  });
});

describe('a run again', () => {
  test('with another value of an input runs the steps whose formulas read it', async ({ values, portal }) => {
    const runId = await values.endedRun();
    const again = { Inputs: [value('Year', '2027')], Confirmed: [] };
    const { status, body } = await portal.post(`checklists/resume/${runId}`, again, portal.runner);
    expect([status, body]).toEqual([200, { result: { Id: expect.any(Number) } }]);
    const [collect, report] = await values.stepsOf(runId);
    const runs = await values.stepsOf(body.result.Id);
    expect(runs.map(({ StepKey }: { StepKey: string }) => StepKey)).toEqual([report.StepKey]);
    expect(collect.StepKey).not.toBe(report.StepKey);
    // The default of Month was calculated for the first run, and stays.
    expect(await values.storedOf(body.result.Id)).toEqual([
      ['Month', '"Month of 2026"'],
      ['Limit', '1'],
      ['Papers', null],
      ['Year', '2027'],
    ]);
  });

  test('takes the default of an input that is left empty now, from the values of the run', async ({
    values,
    portal,
  }) => {
    const runId = await values.endedRun(value('Month', '"June"'));
    const empty = { ChecklistInputName: 'Month', Value: null, UseDefault: true };
    const { status, body } = await portal.post(`checklists/resume/${runId}`, { Inputs: [empty] }, portal.runner);
    expect([status, body.message]).toEqual([200, undefined]);
    expect(await values.storedOf(body.result.Id)).toContainEqual(['Month', '"Month of 2026"']);
    const [collect] = await values.stepsOf(body.result.Id);
    const [month] = await values.rows('RunInputs', {
      ActivityRunId: collect.Id,
      ActivityParameterId: portal.inputs['collect.Month'],
    });
    expect(month).toMatchObject({ Value: '"Month of 2026"', UseDefault: false });
  });
});

describe('a workflow is not saved', () => {
  test.for([
    [[{ Name: 'Month', Default: formula('Inputs.[Month]&"x"') }], /it depends on itself/],
    [[{ Name: 'Month', Default: formula('[Collect].[Total]') }], /which is not an earlier step/],
    [
      [{ Name: 'Month', Default: constant(5) }],
      /Default of the input 'Month': The constant for 'Month' must be a text/,
    ],
    [[{ Name: 'Month' }, { Name: 'Year' }], "No step uses the input 'Year'"],
    [[{ Name: 'Month', Type: 'Text' }], /The type of the input 'Month' comes from the activities/],
  ] as const)('with the inputs %j', async ([inputs, message], { values: { saved } }) => {
    const { status, body } = await saved('Rate', constant(1), (graph) => {
      graph.Inputs = [...inputs, ...graph.Inputs.filter(({ Name }) => Name !== 'Month')] as never;
    });
    expect(status).toBe(400);
    if (typeof message === 'string') expect(body.message).toBe(message);
    else expect(body.message).toMatch(message);
  });
});

describe('an activity whose new version returns less', () => {
  const collect = (outputs: ActivityDefinition['outputs']): ActivityDefinition => ({
    ...EMPTY_DEFINITION,
    inputs: [input('Month', { CellUsages: ['Text'] }), input('Limit')],
    outputs,
  });

  test('prevents the start of workflows whose formulas read it', async ({ values: { saved, start }, portal }) => {
    const { Id } = await saved('Rate', formula('[Collect].[Total]*2'));
    const { knex } = portal.app.database;
    const Inputs = [value('Month', '"June"'), value('Limit', '1'), value('Papers', '[]')];
    const OUTDATED = 'The workflow cannot be run, because activities have changed since it was saved. Report: ';
    await insertVersion(knex, portal.activities.collect, 2, collect([output('Sum')]));
    const gone = await start(Id, { WorkflowId: Id, Inputs });
    expect([gone.status, gone.body.message]).toEqual([
      409,
      `${OUTDATED}'Rate' cannot be calculated by =[Collect].[Total]*2: it uses 'Total', which 'Collect' does not return`,
    ]);
    await insertVersion(knex, portal.activities.collect, 3, collect([output('Total', { CellUsages: ['Text'] })]));
    expect((await start(Id, { WorkflowId: Id, Inputs })).status).toBe(200);
  });
});
