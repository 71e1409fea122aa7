import { expect, it } from 'vitest';
import type { Input, Output } from '#shared/contract/parameters.ts';
import type { ChainGraph, ValueSource } from './types.ts';
import type { Catalogue } from './graph-sources.ts';
import { validateGraph } from './validate-graph.ts';

const shape = { RangeType: 'RangeWithColumnHeaders', CellUsages: ['Number'], ColumnHeaderValues: ['Amount'] };
const lines = { Name: 'Lines', Info: { ...shape, Specifications: ['Required'] }, PresetValue: null };
const single = { ...shape, RangeType: 'SingleCell', ColumnHeaderValues: [], Specifications: ['Required'] };
const amount = { Name: 'Amount', Info: single, PresetValue: null };

const catalogue = new Map([
  [1, { Name: 'Make', IsActive: true, Inputs: [], Outputs: [{ Name: 'Lines', Info: shape } as unknown as Output] }],
  [
    2,
    {
      Name: 'Each',
      IsActive: true,
      Inputs: [amount as unknown as Input],
      Outputs: [{ Name: 'Lines', Info: shape } as unknown as Output],
    },
  ],
  [3, { Name: 'Use', IsActive: true, Inputs: [lines as unknown as Input], Outputs: [] }],
]) satisfies Catalogue;

const common = { Join: 'AllSucceeded', OnFailure: 'Stop' } as const;

function graph(from: ValueSource): ChainGraph {
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

it.each(['Lines', 'Rows'])('refuses to hand on %s of a step that runs once for each row', (Name) => {
  expect(validateGraph(graph({ Kind: 'Output', Step: 'b', Name }), catalogue)).toEqual([
    { Step: 'c', Message: "'Lines' takes outputs of 'Each', of which each row has its own" },
  ]);
});
