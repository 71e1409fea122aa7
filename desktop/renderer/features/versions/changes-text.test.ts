import { expect, test } from 'vitest';
import type { VersionChanges } from '#shared/contract/version-changes.ts';
import { changesSentence, isUnchanged } from './changes-text.ts';

const none: VersionChanges = {
  From: 1,
  To: 2,
  Inputs: [],
  Outputs: [],
  Steps: [],
  Workbook: { Sheets: [], Names: [], Formulas: [], Constants: [], FormulaCount: 0, ConstantCount: 0 },
  Misfits: [],
};
const added = (Name: string) => ({ Name, Change: 'Added' as const, Fields: [] });

test('one thing differs, several differ', () => {
  expect(changesSentence({ ...none, Inputs: [added('A')] })).toBe('1 input differs.');
  expect(changesSentence({ ...none, Inputs: [added('A'), added('B')] })).toBe('2 inputs differ.');
  const Workbook = { ...none.Workbook!, FormulaCount: 20_000 };
  expect(changesSentence({ ...none, Outputs: [added('A')], Workbook })).toBe('1 output and 20,000 formulas differ.');
});

test('without a file it does not claim that nothing differs', () => {
  expect(isUnchanged(none)).toBe(true);
  expect(isUnchanged({ ...none, Workbook: null })).toBe(false);
  expect(changesSentence({ ...none, Workbook: null })).toBe(
    'Inputs, outputs and steps are the same. The file of one version was purged, so formulas cannot be compared.',
  );
});
