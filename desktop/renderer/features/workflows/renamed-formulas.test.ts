import { expect, test } from 'vitest';
import type { WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import { nameInFormula } from './formula-names.ts';
import { changeStep, renameInput } from './workflow-draft.ts';

const base = { After: [] as WorkflowStepData['After'], Join: 'AllSucceeded' as const, OnFailure: 'Stop' as const };
const formula = (Formula: string) => ({ Kind: 'Expression', Formula }) as const;

const graph = (): WorkflowGraphData => ({
  Inputs: [
    { Name: 'Year', Type: 'Number' },
    { Name: 'Next', Type: 'Number', Default: formula('Inputs.[Year]+1') },
  ],
  Steps: [
    { ...base, Kind: 'Activity', Key: 'step-1', Name: 'Sum', ActivityId: 1, Inputs: [] },
    { ...base, Kind: 'Activity', Key: 'step-2', Name: 'Total', ActivityId: 1, Inputs: [] },
    {
      ...base,
      Kind: 'Decision',
      Key: 'step-3',
      Name: 'Much',
      Condition: '=[Sum].[A]>Inputs.[Year]',
      Values: [{ Name: 'x', From: formula('[sum].[A]+[Total].[B]') }],
    },
    {
      ...base,
      Kind: 'Activity',
      Key: 'step-4',
      Name: 'Use',
      ActivityId: 1,
      Inputs: [{ Input: 'A', From: formula('[Sum].[A]&"[Sum].[A]"') }],
    },
  ],
});

const formulasOf = ({ Inputs, Steps }: WorkflowGraphData): string[] => [
  ...Inputs.flatMap(({ Default }) => (Default?.Kind === 'Expression' ? [Default.Formula] : [])),
  ...Steps.flatMap((step: WorkflowStepData) => [
    ...(step.Kind === 'Decision' ? [step.Condition] : []),
    ...('Values' in step ? step.Values.flatMap(({ From }) => (From.Kind === 'Expression' ? [From.Formula] : [])) : []),
    ...('Inputs' in step ? step.Inputs.flatMap(({ From }) => (From.Kind === 'Expression' ? [From.Formula] : [])) : []),
  ]),
];

test('formulas follow the name of a step while it is typed, also over the name of another one', () => {
  const rename = (before: WorkflowGraphData, Name: string) =>
    changeStep(before, 'step-1', (step) => ({ ...step, Name }));
  const typed = ['Su', 'S', '', 'T', 'Total', 'Total 2'].reduce(rename, graph());
  expect(formulasOf(typed)).toEqual([
    'Inputs.[Year]+1',
    '=[Total 2].[A]>Inputs.[Year]',
    '[Total 2].[A]+[Total].[B]',
    '[Total 2].[A]&"[Sum].[A]"',
  ]);
  expect(formulasOf(rename(typed, 'Total'))[1]).toBe('=[step-1].[A]>Inputs.[Year]');
});

test('formulas follow the name of an input', () => {
  const renamed = renameInput(graph(), 0, 'Year [new]');
  expect(renamed.Inputs[0]).toEqual({ Name: 'Year [new]', Type: 'Number' });
  expect(formulasOf(renamed).slice(0, 2)).toEqual(["Inputs.[Year '[new']]+1", "=[Sum].[A]>Inputs.[Year '[new']]"]);
});

test('a formula begins with the name of the value that was chosen before', () => {
  expect(nameInFormula(graph(), { Kind: 'Output', Step: 'step-1', Name: 'A' })).toBe('[Sum].[A]');
  expect(nameInFormula(graph(), { Kind: 'Constant', Value: 'say "x"' })).toBe('"say ""x"""');
});
