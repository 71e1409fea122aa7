import { describe, expect, it } from 'vitest';
import type { Input, Output } from '#shared/contract/parameters.ts';
import type { WorkflowGraph, WorkflowStep, ValueSource } from './types.ts';
import { tableOfRows, type Catalogue } from './graph-sources.ts';
import { validateGraph } from './validate-graph.ts';

const shape = {
  RangeType: 'RangeWithColumnHeaders',
  CellUsages: ['Number'],
  ColumnHeaderValues: ['Amount'],
  Formats: [''],
};
const lines = { Name: 'Lines', Info: { ...shape, Specifications: ['Required'] }, PresetValue: null };
const single = {
  ...shape,
  RangeType: 'SingleCell',
  ColumnHeaderValues: [],
  Specifications: ['Required'],
  Blanks: [false],
  MaxSize: [null],
};
const amount = { Name: 'Amount', Info: single, PresetValue: null };

const catalogue = new Map([
  [1, { Name: 'Make', IsActive: true, Inputs: [], Outputs: [{ Name: 'Lines', Info: shape } as unknown as Output] }],
  [
    2,
    {
      Name: 'Each',
      IsActive: true,
      Inputs: [amount as unknown as Input],
      Outputs: [
        { Name: 'Lines', Info: shape } as unknown as Output,
        { Name: 'Amount', Info: single } as unknown as Output,
      ],
    },
  ],
  [3, { Name: 'Use', IsActive: true, Inputs: [lines as unknown as Input], Outputs: [] }],
]) satisfies Catalogue;

const common = { Join: 'AllSucceeded', OnFailure: 'Stop' } as const;

function graph(from: ValueSource): WorkflowGraph {
  const after = (Step: string) => [{ Step, When: 'success' as const }];
  return {
    Inputs: [],
    Steps: [
      { ...common, Kind: 'Activity', Key: 'a', Name: 'Make', After: [], ActivityId: 1, Inputs: [] },
      {
        ...common,
        Kind: 'ForEach',
        Key: 'b',
        Name: 'Each',
        After: after('a'),
        ActivityId: 2,
        Inputs: [{ Input: 'Amount', From: { Kind: 'Column', Name: 'Amount' } }],
        Rows: { Kind: 'Output', Step: 'a', Name: 'Lines' },
        KeyColumn: null,
        AtOnce: 4,
        StopAfterFailures: null,
      },
      {
        ...common,
        Kind: 'Activity',
        Key: 'c',
        Name: 'Use',
        After: after('b'),
        ActivityId: 3,
        Inputs: [{ Input: 'Lines', From: from }],
      },
    ],
  };
}

it('lets a step take an output of a step before the one it follows', () => {
  expect(validateGraph(graph({ Kind: 'Output', Step: 'a', Name: 'Lines' }), catalogue)).toEqual([]);
});

it.each(['Lines', 'rows'])('hands on %s of all rows of a step that runs once for each', (Name) => {
  expect(validateGraph(graph({ Kind: 'Output', Step: 'b', Name }), catalogue)).toEqual([]);
});

it('refuses what a step that runs once for each row does not give, and says what it does', () => {
  expect(validateGraph(graph({ Kind: 'Output', Step: 'b', Name: 'Total' }), catalogue)).toEqual([
    {
      Step: 'c',
      Message: "'Lines' uses 'Total', which 'Each' does not return: for all its rows together it returns 'Rows'",
    },
  ]);
});

describe('the rows of a table that is entered', () => {
  const entered = (more: object = {}): WorkflowGraph => {
    const { Steps } = graph({ Kind: 'Output', Step: 'a', Name: 'Lines' });
    const each = { ...Steps[1]!, After: [], Rows: { Kind: 'Input', Name: 'Companies' }, ...more } as WorkflowStep;
    return { Inputs: [{ Name: 'Companies' }], Steps: [each] };
  };

  it('have the columns that the step takes, with the rules of its inputs, and the one that names them', () => {
    const given = entered({ KeyColumn: 'Code' });
    expect(validateGraph(given, catalogue)).toEqual([]);
    const table = tableOfRows(given, 'companies', (id) => catalogue.get(id)!.Inputs);
    expect(table).toMatchObject({
      RangeType: 'RangeWithColumnHeaders',
      ColumnHeaderValues: ['Code', 'Amount'],
      CellUsages: ['Text', 'Number'],
      MaxRows: 10_000,
    });
  });

  it.each([
    [{ Rows: { Kind: 'Input', Name: 'Firms' } }, "There is no input 'Firms'"],
    [{ Inputs: [] }, "It uses no column of the rows of 'Companies'"],
  ])('are refused if they are invalid: %o', (more, message) => {
    expect(validateGraph(entered(more), catalogue)).toContainEqual({ Step: 'b', Message: message });
  });
});

it('refuses an activity that is not active, or is gone since, at each step that runs it', () => {
  const given = graph({ Kind: 'Output', Step: 'a', Name: 'Lines' });
  const inactive = new Map(catalogue as Catalogue);
  inactive.set(3, { ...catalogue.get(3)!, IsActive: false });
  expect(validateGraph(given, inactive)).toEqual([{ Step: 'c', Message: "The activity 'Use' is not active" }]);
  inactive.delete(3);
  expect(validateGraph(given, inactive)).toEqual([{ Step: 'c', Message: 'There is no such activity' }]);
});

it('refuses what a new version of an activity no longer gives or takes', () => {
  const given = graph({ Kind: 'Output', Step: 'a', Name: 'Lines' });
  const changed = new Map(catalogue as Catalogue);
  changed.set(1, { ...catalogue.get(1)!, Outputs: [] });
  const problems = validateGraph(given, changed);
  expect([...new Set(problems.map(({ Step }) => Step))]).toEqual(['b', 'c']);
  const renamed = new Map(catalogue as Catalogue);
  renamed.set(3, { ...catalogue.get(3)!, Inputs: [{ ...lines, Name: 'Rows' } as unknown as Input] });
  expect(validateGraph(given, renamed)).toContainEqual({
    Step: 'c',
    Message: "The activity 'Use' has no input 'Lines'",
  });
});
