import { expect, test } from 'vitest';
import type { ResumedStep } from '#shared/contract/checklist-resumes.ts';
import { confirmationOf, confirmedKeys } from './confirmations.ts';

const step = (StepKey: string, Effects: ResumedStep['Effects']): ResumedStep => ({
  StepKey,
  StepName: StepKey,
  Kind: 'Activity',
  Name: StepKey,
  Status: 'Succeeded',
  Will: 'Run',
  Message: '',
  Because: 'Chosen',
  Rows: null,
  Effects,
  HasRun: true,
  MustConfirm: Effects.length > 0,
});

test('a step is confirmed only for the effects that were shown', () => {
  const ticked = new Set([confirmationOf(step('a', ['Export'])), confirmationOf(step('b', ['Mail']))]);
  const keysOf = (...Steps: ResumedStep[]) => [...confirmedKeys({ Steps }, ticked)];
  expect(keysOf(step('a', ['Export']), step('b', ['Mail']), step('c', []))).toEqual(['a', 'b']);
  expect(keysOf(step('a', ['Export', 'Mail']), step('b', ['Mail']))).toEqual(['b']);
  expect([...confirmedKeys(undefined, ticked)]).toEqual([]);
});
