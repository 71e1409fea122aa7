/** Each problem that prevents saving a workflow, in isolation, with its text. */
import { expect, it } from 'vitest';
import type { Input, Output } from '#shared/contract/parameters.ts';
import type { Catalogue } from './graph-sources.ts';
import type {
  ActivityStep,
  ApprovalStep,
  WorkflowEdge,
  WorkflowGraph,
  WorkflowStep,
  DecisionStep,
  ForEachStep,
} from './types.ts';
import { validateGraph, type GraphProblem } from './validate-graph.ts';

const single = (usage: string) => ({
  RangeType: 'SingleCell',
  CellUsages: [usage],
  ColumnHeaderValues: [],
  Formats: [''],
  Specifications: ['Required'],
  Blanks: [false],
  MaxSize: [null],
});
const table = { ...single('Number'), RangeType: 'RangeWithColumnHeaders', ColumnHeaderValues: ['Amount'] };
const asInput = (Name: string, Info: object, PresetValue: string | null = null) =>
  ({ Name, Info, PresetValue }) as unknown as Input;
const asOutput = (Name: string, Info: object) => ({ Name, Info }) as unknown as Output;

const catalogue: Catalogue = new Map([
  [
    1,
    {
      Name: 'Make',
      IsActive: true,
      Inputs: [],
      Outputs: [asOutput('Lines', table), asOutput('Total', single('Number'))],
    },
  ],
  [
    2,
    {
      Name: 'Use',
      IsActive: true,
      Inputs: [asInput('Amount', single('Number')), asInput('Rate', single('Number'), '7')],
      Outputs: [],
    },
  ],
  [3, { Name: 'Read', IsActive: true, Inputs: [asInput('Paper', single('FilePath'))], Outputs: [] }],
]);

interface Steps {
  make: ActivityStep;
  each: ForEachStep;
  ask: DecisionStep;
  agree: ApprovalStep;
  use: ActivityStep;
}

/** A valid graph with two activities, a ForEach step, a decision and an approval. */
function whole(): { graph: WorkflowGraph; steps: Steps } {
  const of = { After: [] as WorkflowEdge[], Join: 'AllSucceeded' as const, OnFailure: 'Stop' as const };
  const total = { Kind: 'Output', Step: 'make', Name: 'Total' } as const;
  const after = (Step: string, When: 'success' | 'yes' = 'success') => ({ After: [{ Step, When }] });
  const steps: Steps = {
    make: { ...of, Kind: 'Activity', Key: 'make', Name: 'Make', ActivityId: 1, Inputs: [] },
    each: {
      ...of,
      Kind: 'ForEach',
      Key: 'each',
      Name: 'Each',
      ...after('make'),
      ActivityId: 2,
      KeyColumn: null,
      Inputs: [{ Input: 'Amount', From: { Kind: 'Column', Name: 'Amount' } }],
      Rows: { Kind: 'Output', Step: 'make', Name: 'Lines' },
      AtOnce: 4,
      StopAfterFailures: null,
    },
    ask: {
      ...of,
      Kind: 'Decision',
      Key: 'ask',
      Name: 'Ask',
      ...after('make'),
      Values: [{ Name: 'Total', From: total }],
      Condition: 'Total > 1',
    },
    agree: {
      ...of,
      Kind: 'Approval',
      Key: 'agree',
      Name: 'Agree',
      ...after('ask', 'yes'),
      Roles: ['Leads'],
      UserIds: [],
      Needed: 1,
      StarterMayApprove: false,
      Text: 'Agreed?',
      Values: [{ Name: 'Total', From: total }],
      ExpiresAfterHours: null,
      OnExpiry: 'Fail',
    },
    use: {
      ...of,
      Kind: 'Activity',
      Key: 'use',
      Name: 'Use',
      ...after('agree'),
      ActivityId: 2,
      Inputs: [{ Input: 'Amount', From: { Kind: 'Input', Name: 'Amount' } }],
    },
  };
  return { graph: { Inputs: [{ Name: 'Amount' }], Steps: Object.values(steps) as WorkflowStep[] }, steps };
}

it('finds nothing wrong with a graph that can be run', () => {
  expect(validateGraph(whole().graph, catalogue)).toEqual([]);
});

type Change = (steps: Steps, graph: WorkflowGraph) => void;
const step = (Step: string, Message: string): GraphProblem[] => [{ Step, Message }];

it.each<[string, Change, GraphProblem[]]>([
  [
    'more than 200 steps',
    (_, graph) => {
      const make = graph.Steps[0]!;
      graph.Steps.push(...Array.from({ length: 196 }, (__, at) => ({ ...make, Key: `more${at}` })));
    },
    [{ Step: null, Message: 'A workflow can have at most 200 steps' }],
  ],
  [
    'an input without a name',
    ({ use }, graph) => {
      graph.Inputs[0]!.Name = ' ';
      use.Inputs[0]!.From = { Kind: 'Input', Name: ' ' };
    },
    [{ Step: null, Message: 'An input must have a name' }],
  ],
  [
    'an input with a long name',
    ({ use }, graph) => {
      graph.Inputs[0]!.Name = 'n'.repeat(31);
      use.Inputs[0]!.From = { Kind: 'Input', Name: 'n'.repeat(31) };
    },
    [{ Step: null, Message: `Checklist Input names ${'n'.repeat(31)} exceed the character length limit of 30` }],
  ],
  [
    'two inputs of one name',
    (_, graph) => void graph.Inputs.push({ Name: 'amount' }),
    [{ Step: null, Message: "There are two inputs named 'amount'" }],
  ],
  [
    'a key with a blank',
    ({ use }) => void (use.Key = 'the use'),
    step('the use', 'The key of a step must have 1 to 40 letters, digits, - or _'),
  ],
  [
    'a long name of a step',
    ({ use }) => void (use.Name = 'n'.repeat(61)),
    step('use', 'The name of a step must not exceed 60 characters'),
  ],
  [
    'a step after another twice',
    ({ use }) => void use.After.push({ Step: 'agree', When: 'success' }),
    step('use', "It comes after 'Agree' twice"),
  ],
  [
    'a step after an activity on yes',
    ({ ask }) => void (ask.After[0]!.When = 'yes'),
    step('ask', "'Make' is not a decision: no step can follow it on yes"),
  ],
  [
    'an input that takes two values',
    ({ use }) => void use.Inputs.push({ Input: 'amount', From: { Kind: 'Output', Step: 'make', Name: 'Total' } }),
    step('use', "'amount' can have only one source"),
  ],
  [
    'an input with a preset value',
    ({ use }) => void use.Inputs.push({ Input: 'Rate', From: { Kind: 'Input', Name: 'Amount' } }),
    step('use', "'Rate' cannot be mapped"),
  ],
  [
    'a column where there are no rows',
    ({ use }, graph) => {
      use.Inputs[0]!.From = { Kind: 'Column', Name: 'Amount' };
      graph.Inputs = [];
    },
    step('use', "'Amount' uses a column, but the step has no rows"),
  ],
  [
    'an input of the workflow that there is not',
    (_, graph) => void (graph.Inputs = []),
    step('use', "There is no input 'Amount'"),
  ],
  [
    'an output of another type',
    ({ use }, graph) => {
      use.Inputs[0]!.From = { Kind: 'Output', Step: 'make', Name: 'Lines' };
      graph.Inputs = [];
    },
    step('use', "'Lines' of 'Make' cannot become 'Amount': they are of different types"),
  ],
  [
    'rows of a column',
    ({ each }) => void (each.Rows = { Kind: 'Column', Name: 'Amount' }),
    [
      ...step('each', 'Its rows must come from an input of the workflow or from an output of an earlier step'),
      ...step('each', "'Amount' uses a column, but the step has no rows"),
    ],
  ],
  [
    'rows with files',
    ({ each }, graph) => {
      each.ActivityId = 3;
      each.Rows = { Kind: 'Input', Name: 'Papers' };
      each.Inputs = [{ Input: 'Paper', From: { Kind: 'Column', Name: 'Paper' } }];
      graph.Inputs.push({ Name: 'Papers' });
    },
    [
      ...step('each', "The rows of 'Papers' cannot contain files or folders"),
      ...step('each', "'Paper' uses a column, but the step has no rows"),
    ],
  ],
  [
    'a decision on a value without a name',
    ({ ask }) => void ask.Values.push({ Name: ' ', From: { Kind: 'Input', Name: 'Amount' } }),
    step('ask', 'A value of a decision must have a name'),
  ],
  [
    'a decision on two values of one name',
    ({ ask }) => void ask.Values.push({ Name: 'total', From: { Kind: 'Input', Name: 'Amount' } }),
    step('ask', "There are two values named 'total'"),
  ],
  [
    'an approval with a value without a name',
    ({ agree }) => void agree.Values.push({ Name: '', From: { Kind: 'Input', Name: 'Amount' } }),
    step('agree', 'A value of an approval must have a name'),
  ],
  [
    'an approval with two values of one name',
    ({ agree }) => void agree.Values.push({ Name: 'TOTAL', From: { Kind: 'Input', Name: 'Amount' } }),
    step('agree', "There are two values named 'TOTAL'"),
  ],
  [
    'a cycle through a decision and an approval',
    ({ ask }) => void ask.After.push({ Step: 'agree', When: 'success' }),
    step('ask', "The steps 'Ask' → 'Agree' → 'Ask' wait for each other"),
  ],
])('refuses %s', (_, change, problems) => {
  const { graph, steps } = whole();
  change(steps, graph);
  expect(validateGraph(graph, catalogue)).toEqual(problems);
});
