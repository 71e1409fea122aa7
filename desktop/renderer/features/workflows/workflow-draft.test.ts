import { expect, test } from 'vitest';
import type { WorkflowActivity, WorkflowGraphData, WorkflowStepData } from '#shared/contract/workflows.ts';
import { changed, newHistory, redone, undone } from '#renderer/ui/edit-history.ts';
import { mappingOffers, rowsOffers, valueOffers } from './offered-sources.ts';
import { addStep, duplicateStep } from './add-step.ts';
import { connectionIssue } from './connection-issue.ts';
import { mapRest } from './map-rest.ts';
import { asKind, changeStep, connect, mapInput, moveStep, removeStep, renameInput } from './workflow-draft.ts';

const number = { RangeType: 'SingleCell', CellUsages: ['Number'], ColumnHeaderValues: [] } as const;
const text = { ...number, CellUsages: ['Text'] } as const;
const lines = {
  RangeType: 'RangeWithColumnHeaders',
  CellUsages: ['Text', 'Number'],
  ColumnHeaderValues: ['Name', 'Amount'],
} as const;
const asked = (Name: string, Info: object) => ({ Name, IsMappable: true, IsOptional: false, Info });
const activity = (Id: number, Inputs: object[], Outputs: object[]) =>
  ({ Id, Name: `Activity ${Id}`, Schema: 'Finance', IsActive: true, Inputs, Outputs }) as unknown as WorkflowActivity;
const activities = new Map([
  [
    1,
    activity(
      1,
      [asked('Month', text), asked('Limit', number)],
      [
        { Name: 'Total', Info: number },
        { Name: 'Lines', Info: lines },
      ],
    ),
  ],
  [2, activity(2, [asked('Sum', number), asked('Note', text), asked('Papers', lines)], [])],
]);

const step = (Key: string, ActivityId: number, After: WorkflowStepData['After'] = []): WorkflowStepData => ({
  Kind: 'Activity',
  Key,
  Name: `Step ${Key}`,
  After,
  Join: 'AllSucceeded',
  OnFailure: 'Stop',
  ActivityId,
  Inputs: [],
});
const after = (Step: string) => [{ Step, When: 'success' as const }];
const graph: WorkflowGraphData = {
  Inputs: [],
  Steps: [step('a', 1), step('b', 2, after('a')), step('c', 1, after('b'))],
};
const input = (name: string) => ({ Kind: 'Input', Name: name }) as const;
const stepOf = ({ Steps }: WorkflowGraphData, key: string) => Steps.find(({ Key }) => Key === key)!;

test('a step is added after the one that is selected, and named as none is so far', () => {
  const added = addStep(graph, { Kind: 'Activity', Name: 'Step b', ActivityId: 2 }, { after: 'a' });
  expect(added.graph.Steps.map(({ Name }) => Name)).toEqual(['Step a', 'Step b (2)', 'Step b', 'Step c']);
  expect(stepOf(added.graph, added.key).After).toEqual(after('a'));
  const decided = addStep(graph, { Kind: 'Decision', Name: 'Decision' }, { after: null });
  expect(decided.graph.Steps.at(-1)).toMatchObject({ Kind: 'Decision', After: after('c') });
  const next = addStep(decided.graph, { Kind: 'Activity', Name: 'Then', ActivityId: 1 }, { after: decided.key });
  expect(stepOf(next.graph, next.key).After).toEqual([{ Step: decided.key, When: 'yes' }]);
  expect(new Set(next.graph.Steps.map(({ Key }) => Key)).size).toBe(5);
  // Nor does another person who adds a step to the same graph get the same key.
  expect(addStep(graph, { Kind: 'Decision', Name: 'Decision' }, { after: null }).key).not.toBe(decided.key);
});

test('a step between two others takes their edge over, with its condition', () => {
  const failing = changeStep(graph, 'c', (one) => ({ ...one, After: [...after('a'), { Step: 'b', When: 'failure' }] }));
  const edge = { Step: 'b', When: 'failure' } as const;
  const added = addStep(failing, { Kind: 'Decision', Name: 'Try again?' }, { edge, to: 'c' });
  expect(added.graph.Steps.map(({ Name }) => Name)).toEqual(['Step a', 'Step b', 'Try again?', 'Step c']);
  expect(stepOf(added.graph, added.key).After).toEqual([edge]);
  expect(stepOf(added.graph, 'c').After).toEqual([...after('a'), { Step: added.key, When: 'yes' }]);
  const gone = addStep(graph, { Kind: 'ForEach', Name: 'Rows', ActivityId: 1 }, { edge, to: 'c' });
  expect(stepOf(gone.graph, gone.key)).toMatchObject({ Kind: 'ForEach', After: after('b') });
  expect(stepOf(gone.graph, 'c')).toEqual(stepOf(graph, 'c'));
  const first = addStep({ Inputs: [], Steps: [] }, { Kind: 'Approval', Name: 'Approval' }, { after: null });
  expect(first.graph.Steps).toMatchObject([{ Kind: 'Approval', After: [] }]);
});

test('an edge that would connect a step with itself, twice or in a circle is explained', () => {
  expect(connectionIssue(graph, 'a', 'c')).toBeNull();
  expect(connectionIssue(graph, 'a', 'a')).toBe('A step cannot come after itself.');
  expect(connectionIssue(graph, 'a', 'b')).toBe("'Step b' already comes after 'Step a'.");
  expect(connectionIssue(graph, 'c', 'a')).toBe(
    "'Step a' comes before 'Step c', so the two steps would wait for each other.",
  );
});

test('what is left to map takes what has its name and type, and else a new input', () => {
  const inputsOf = (from: WorkflowGraphData, key: string) => {
    const one = stepOf(from, key);
    return 'Inputs' in one ? one.Inputs.map(({ Input, From }) => [Input, From]) : [];
  };
  const named = new Map([
    ...activities,
    [3, activity(3, [asked('Total', number), asked('Month', text), asked('Note', text)], [])],
  ]);
  const next = { ...graph, Steps: [graph.Steps[0]!, step('d', 3, after('a'))] };
  const first = mapRest(mapRest(next, 'a', named), 'd', named);
  expect(inputsOf(first, 'a')).toEqual([
    ['Month', input('Month')],
    ['Limit', input('Limit')],
  ]);
  expect(inputsOf(first, 'd')).toEqual([
    ['Total', { Kind: 'Output', Step: 'a', Name: 'Total' }],
    ['Month', input('Month')],
    ['Note', input('Note')],
  ]);
  const chosen = mapRest(mapInput(next, 'd', 'Note', { Kind: 'Input', Name: 'Mine' }), 'd', named);
  expect(inputsOf(chosen, 'd')[0]).toEqual(['Note', input('Mine')]);
});

test('what came after a step that is removed comes after what that came after; what took its outputs says so', () => {
  const mapped = mapInput(graph, 'b', 'Sum', { Kind: 'Output', Step: 'a', Name: 'Total' });
  const without = removeStep(mapped, 'a');
  const Inputs = [{ Input: 'Sum', From: { Kind: 'Output', Step: 'a', Name: 'Total' } }];
  expect(stepOf(without, 'b')).toMatchObject({ After: [], Inputs });
  expect(stepOf(removeStep(graph, 'b'), 'c').After).toEqual(after('a'));
});

test('a copy stands beside its step, and another place in the list changes nothing else', () => {
  const copied = duplicateStep(graph, 'b');
  expect(copied.graph.Steps[2]).toMatchObject({ Name: 'Step b (2)', After: after('a'), ActivityId: 2 });
  expect(stepOf(copied.graph, 'c').After).toEqual(after('b'));
  expect(moveStep(graph, 'c', -1).Steps.map(({ Key }) => Key)).toEqual(['a', 'c', 'b']);
  expect(moveStep(graph, 'c', 1)).toEqual(graph);
});

test('the workflow asks for what its steps take, in the order in which it was asked for first', () => {
  let next = mapInput(graph, 'b', 'Sum', input('Sum'));
  next = mapInput(next, 'a', 'Month', input('Month'));
  next = mapInput(next, 'c', 'Limit', input('sum'));
  expect(next.Inputs).toEqual([{ Name: 'Sum' }, { Name: 'Month' }]);
  next = renameInput(next, 0, 'Total');
  expect(stepOf(next, 'c')).toMatchObject({ Inputs: [{ Input: 'Limit', From: input('Total') }] });
  next = mapInput(mapInput(next, 'b', 'Sum', null), 'c', 'Limit', null);
  expect(next.Inputs).toEqual([{ Name: 'Month' }]);
  expect(changeStep(next, 'a', (one) => asKind(one, 'Decision', 1)).Inputs).toEqual([]);
});

test('two steps are connected once, and none with itself', () => {
  expect(stepOf(connect(graph, 'a', 'c'), 'c').After).toEqual([...after('b'), ...after('a')]);
  expect(connect(connect(graph, 'a', 'c'), 'a', 'c')).toEqual(connect(graph, 'a', 'c'));
  expect(connect(graph, 'a', 'a')).toEqual(graph);
});

test('only what fits is offered: of earlier steps, of the same type, tables by their columns', () => {
  const offered = (key: string, name: string, from = graph): string[] => {
    const one = stepOf(from, key) as WorkflowStepData & { ActivityId: number };
    const wanted = activities.get(one.ActivityId)!.Inputs.find(({ Name }) => Name === name)!;
    return mappingOffers(from, one, wanted, activities).flatMap(({ offers }) => offers.map(({ text: shown }) => shown));
  };
  expect(offered('b', 'Sum')).toEqual(['New input: Sum', 'Step a: Total']);
  expect(offered('b', 'Papers')).toEqual(['New input: Papers', 'Step a: Lines']);
  expect(offered('a', 'Limit')).toEqual(['New input: Limit']);
  const mapped = mapInput(graph, 'a', 'Limit', input('Limit'));
  expect(offered('b', 'Sum', mapped)).toEqual(['Limit', 'New input: Sum', 'Step a: Total']);
  expect(offered('b', 'Note', mapped)).toEqual(['New input: Note']);
  const rows = changeStep(graph, 'b', (one) => ({
    ...(asKind(one, 'ForEach', 2) as Extract<WorkflowStepData, { Kind: 'ForEach' }>),
    Rows: { Kind: 'Output', Step: 'a', Name: 'Lines' },
  }));
  expect(offered('b', 'Sum', rows)).toEqual(['New input: Sum', 'Amount', 'Step a: Total']);
  expect(rowsOffers(graph, 'b', activities).map(({ offers }) => offers.map(({ text: shown }) => shown))).toEqual([
    ['New input: a table of rows'],
    ['Step a: Lines'],
  ]);
  expect(rowsOffers(rows, 'c', activities)[1]?.offers).toMatchObject([
    { text: 'Step a: Lines' },
    { text: 'Step b: Rows' },
  ]);
  const entered = changeStep(rows, 'b', (one) => ({ ...one, Rows: input('Rows') }) as WorkflowStepData);
  expect(entered.Inputs).toEqual([{ Name: 'Rows' }]);
  expect(offered('b', 'Sum', entered)).toEqual(['New input: Sum', 'New column: Sum', 'Step a: Total']);
  const columns = mapInput(entered, 'b', 'Sum', { Kind: 'Column', Name: 'Sum' });
  expect(offered('b', 'Sum', columns)).toEqual(['New input: Sum', 'Sum', 'Step a: Total']);
  expect(renameInput(columns, 0, 'People')).toMatchObject({
    Inputs: [{ Name: 'People' }],
    Steps: [{}, { Rows: input('People') }, {}],
  });
  expect(valueOffers(mapped, 'b', activities).map(({ offers }) => offers.map(({ text: shown }) => shown))).toEqual([
    ['Limit'],
    ['Step a: Total'],
  ]);
});

test('changes are taken back and done again; what is typed in one field is one change', () => {
  let history = newHistory('');
  for (const typed of ['a', 'ab', 'abc']) history = changed(history, typed, 'name');
  history = changed(history, 'abcd', 'another');
  expect(undone(history).present).toBe('abc');
  expect(undone(undone(history)).present).toBe('');
  expect(undone(undone(undone(history))).present).toBe('');
  expect(redone(undone(history)).present).toBe('abcd');
  expect(changed(undone(history), 'x', null).future).toEqual([]);
});
