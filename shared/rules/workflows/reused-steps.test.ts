import { expect, test } from 'vitest';
import { reusedSteps } from './reused-steps.ts';
import type { WorkflowEdge, WorkflowGraph, WorkflowStep, StepState } from './types.ts';

const common = { Join: 'AllEnded', OnFailure: 'Continue' } as const;
const after = (...keys: string[]): WorkflowEdge[] => keys.map((Step) => ({ Step, When: 'always' }));
const activity = (Key: string, ...before: string[]): WorkflowStep => ({
  ...common,
  Kind: 'Activity',
  Key,
  Name: Key,
  After: after(...before),
  ActivityId: 1,
  Inputs: [],
});
const approval = (...before: string[]): WorkflowStep => ({
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
const decision: WorkflowStep = {
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
const reusedKeys = (Steps: WorkflowStep[], states: Record<string, StepState>) => [
  ...reusedSteps({ Inputs: [], Steps } satisfies WorkflowGraph, new Map(Object.entries(states))),
];

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
  expect(reusedKeys(steps, { a: done, if: done, ok: done })).toEqual(['a', 'ok']);
  expect(reusedKeys(steps, { a: done, if: done, ok: failed })).toEqual(['a']);
});
