import { expect, test } from 'vitest';
import { neverAgain, stepsAgain, type RunAgain } from './steps-again.ts';
import type {
  ActivityStep,
  ApprovalStep,
  DecisionStep,
  WorkflowEdge,
  WorkflowGraph,
  WorkflowStep,
  StepState,
} from './types.ts';

const common = { Join: 'AllEnded', OnFailure: 'Continue' } as const;
const after = (...keys: string[]): WorkflowEdge[] => keys.map((Step) => ({ Step, When: 'always' }));
const activity = (Key: string, ...before: string[]): ActivityStep => ({
  ...common,
  Kind: 'Activity',
  Key,
  Name: Key,
  After: after(...before),
  ActivityId: 1,
  Inputs: [],
});
const approval = (...before: string[]): ApprovalStep => ({
  ...common,
  Kind: 'Approval',
  Key: 'ok',
  Name: 'ok',
  After: after(...before),
  Roles: ['Controllers'],
  UserIds: [],
  Needed: 1,
  StarterMayApprove: false,
  Text: 'Right?',
  Values: [],
  ExpiresAfterHours: null,
  OnExpiry: 'Fail',
});
const decision: DecisionStep = {
  ...common,
  Kind: 'Decision',
  Key: 'if',
  Name: 'if',
  After: after('a'),
  Condition: '',
  Values: [],
};

const done: StepState = { Status: 'Succeeded', NotRunBecause: null };
const failed: StepState = { Status: 'Failed', NotRunBecause: null };
const skipped: StepState = { Status: 'Cancelled', NotRunBecause: 'LeftOut' };
const graphOf = (Steps: WorkflowStep[]): WorkflowGraph => ({ Inputs: [], Steps });
const againOf = (Steps: WorkflowStep[], states: Record<string, StepState>, what: RunAgain = {}) =>
  stepsAgain(graphOf(Steps), new Map(Object.entries(states)), what);
const reusedKeys = (Steps: WorkflowStep[], states: Record<string, StepState>) => {
  const again = againOf(Steps, states);
  return Steps.map(({ Key }) => Key).filter((key) => !again.has(key));
};

test('an approval is kept where all that ran before it is', () => {
  const steps = [activity('a'), activity('x', 'a'), approval('x'), activity('b', 'ok')];
  expect(reusedKeys(steps, { a: done, x: done, ok: done, b: failed })).toEqual(['a', 'x', 'ok']);
  expect(reusedKeys(steps, { a: done, x: skipped, ok: done, b: failed })).toEqual(['a', 'ok']);
});

test('an approval is requested again if something before it runs again, however far', () => {
  const steps = [activity('x'), activity('a', 'x'), approval('a')];
  expect(reusedKeys(steps, { x: failed, a: done, ok: done })).toEqual(['a']);
});

test('an approval is requested again if it was not given, and reused behind a decision', () => {
  const steps = [activity('a'), decision, approval('if')];
  expect(reusedKeys(steps, { a: done, if: done, ok: done })).toEqual(['a', 'if', 'ok']);
  expect(reusedKeys(steps, { a: done, if: done, ok: failed })).toEqual(['a', 'if']);
});

test('a decision stays if nothing before it runs again, so that only one of its branches ever runs', () => {
  const branch = (Key: string, When: 'yes' | 'no'): WorkflowStep => ({
    ...activity(Key),
    After: [{ Step: 'if', When }],
  });
  const steps = [activity('a'), decision, branch('pay', 'yes'), branch('stop', 'no'), activity('b', 'pay')];
  const states = { a: done, if: { ...done, Holds: true }, pay: done, stop: skipped, b: failed };
  expect(reusedKeys(steps, states)).toEqual(['a', 'if', 'pay']);
  expect(reusedKeys(steps, { ...states, a: failed })).toEqual(['pay']);
});

const reads = (Key: string, input: string, ...before: string[]): WorkflowStep => ({
  ...activity(Key, ...before),
  Inputs: [{ Input: 'Amount', From: { Kind: 'Input', Name: input } }],
});
const allDone = (Steps: WorkflowStep[]) => Object.fromEntries(Steps.map(({ Key }) => [Key, done]));

test('a chosen step runs again with everything after it, however it ended, and the rest is reused', () => {
  const steps = [
    activity('x'),
    activity('a', 'x'),
    approval('a'),
    activity('b', 'ok'),
    activity('c', 'b'),
    activity('y'),
  ];
  const again = againOf(steps, { ...allDone(steps), y: failed }, { From: { Steps: ['a'], Following: 'All' } });
  expect([...again.keys()].toSorted()).toEqual(['a', 'b', 'c', 'ok']);
  expect(again.get('a')).toEqual({ Because: 'Chosen', Rows: 'All' });
  expect(again.get('b')).toEqual({ Because: 'After', Rows: 'All' });
});

test('an approval before the chosen step stays, and one after it is requested again', () => {
  const later: WorkflowStep = { ...approval('b'), Key: 'later' };
  const steps = [activity('a'), approval('a'), activity('b', 'ok'), later];
  const again = againOf(steps, allDone(steps), { From: { Steps: ['b'], Following: 'All' } });
  expect([...again.keys()]).toEqual(['b', 'later']);
});

test('steps that read a changed input run again with everything after them, in any kind of step', () => {
  const steps: WorkflowStep[] = [
    reads('a', 'Rate'),
    reads('b', 'Month'),
    activity('c', 'a'),
    { ...decision, After: after('b'), Values: [{ Name: 'R', From: { Kind: 'Input', Name: 'RATE' } }] },
    { ...approval('b'), Values: [{ Name: 'M', From: { Kind: 'Input', Name: 'Month' } }] },
    activity('d', 'if'),
  ];
  const of = (...ChangedInputs: string[]) => {
    const from = { From: { Steps: ['d'], Following: 'All' as const }, ChangedInputs };
    return [...againOf(steps, allDone(steps), from)].map(([key, { Because }]) => `${key} ${Because}`).toSorted();
  };
  expect(of('rate')).toEqual(['a Input', 'c After', 'd After', 'if Input']);
  expect(of('Month')).toEqual(['b Input', 'd After', 'if After', 'ok Input']);
  expect(of()).toEqual(['d Chosen']);
});

test('resuming with a changed input also runs what did not succeed', () => {
  const steps = [reads('a', 'Rate'), activity('b', 'a'), activity('x')];
  const again = againOf(steps, { a: done, b: done, x: failed }, { ChangedInputs: ['Rate'] });
  expect([...again.keys()].toSorted()).toEqual(['a', 'b', 'x']);
});

test('it is known beforehand what a reused result keeps from running', () => {
  const steps: WorkflowStep[] = [
    activity('a'),
    { ...decision, After: after('a') },
    { ...activity('b'), After: [{ Step: 'if', When: 'yes' }], Join: 'AllSucceeded' },
    activity('c', 'a'),
  ];
  const states = new Map(Object.entries({ a: done, if: { ...done, Holds: false }, b: skipped, c: done }));
  const never = (Steps: string[]) => {
    const graph = graphOf(steps);
    return [...neverAgain(graph, states, stepsAgain(graph, states, { From: { Steps, Following: 'All' } }))];
  };
  expect(never(['b'])).toEqual([['b', 'Not run: the decision "if" resulted in no']]);
  expect(never(['if'])).toEqual([]);
});
