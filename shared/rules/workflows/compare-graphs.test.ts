import { expect, test } from 'vitest';
import { compareGraphs } from './compare-graphs.ts';
import type { ActivityStep, ApprovalStep, WorkflowGraph } from './types.ts';

const step = (Key: string, more: Partial<ActivityStep> = {}): ActivityStep => ({
  Kind: 'Activity',
  Key,
  Name: Key,
  After: [],
  Join: 'AllSucceeded',
  OnFailure: 'Stop',
  ActivityId: 1,
  Inputs: [],
  ...more,
});
const graph = (inputs: readonly string[], Steps: ActivityStep[]): WorkflowGraph => ({
  Inputs: inputs.map((Name) => ({ Name })),
  Steps,
});
const changes = (before: WorkflowGraph, after: WorkflowGraph): string[] =>
  compareGraphs(before, after, (id) => `activity ${id}`).map(({ Kind, Step, Name, What, Before, After }) =>
    [Kind, Step === null ? 'input' : 'step', Name, What, Before, After].join(' ').trim(),
  );

test('if only positions in the drawing differ, nothing is reported', () => {
  const before = graph(['a'], [step('one', { X: 1, Y: 1 }), step('two')]);
  expect(changes(before, graph(['a'], [step('one'), step('two', { X: 5, Y: 5 })]))).toEqual([]);
});

test('inputs and steps in another order are reported with their positions', () => {
  const before = graph(['a', 'b'], [step('one'), step('two'), step('three')]);
  expect(changes(before, graph(['b', 'a'], [step('two'), step('one'), step('three')]))).toEqual([
    'Changed input b Place 2 1',
    'Changed input a Place 1 2',
    'Changed step two Place 2 1',
    'Changed step one Place 1 2',
  ]);
});

test('what is added or removed before others moves none of them', () => {
  const before = graph(['a', 'b'], [step('one'), step('two')]);
  expect(changes(before, graph(['n', 'b'], [step('new'), step('two', { MayRepeat: true })]))).toEqual([
    'Removed input a Input a',
    'Added input n Input  n',
    'Removed step one',
    'Added step new',
    'Changed step two Run again if interrupted no yes',
  ]);
});

test('the hours after which an approval expires are counted', () => {
  const approval = (ExpiresAfterHours: number | null): WorkflowGraph => {
    const check: ApprovalStep = {
      Kind: 'Approval',
      Key: 'check',
      Name: 'check',
      After: [],
      Join: 'AllSucceeded',
      OnFailure: 'Stop',
      Roles: ['Close'],
      UserIds: [],
      Needed: 1,
      StarterMayApprove: false,
      Text: '',
      Values: [],
      ExpiresAfterHours,
      OnExpiry: 'Fail',
    };
    return { Inputs: [], Steps: [check] };
  };
  expect(changes(approval(null), approval(1))).toEqual(['Changed step check Expires never after 1 hour']);
  expect(changes(approval(1), approval(2))).toEqual(['Changed step check Expires after 1 hour after 2 hours']);
});
