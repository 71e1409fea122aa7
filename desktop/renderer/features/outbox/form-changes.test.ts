import { expect, test } from 'vitest';
import type { Input } from '#shared/contract/parameters.ts';
import type { DraftInput } from '#renderer/features/run-form/draft/form-draft.ts';
import { changesOfForm } from './form-changes.ts';

const info = (usage: string) => ({
  RangeType: 'SingleCell',
  CellUsages: [usage],
  Width: 1,
  ColsVariable: false,
  Specifications: ['Required'],
});
const input = (Name: string, usage = 'Number', PresetValue: string | null = null): Input =>
  ({ Name, Info: info(usage), PresetValue }) as unknown as Input;
const filled = (Name: string, usage = 'Number'): DraftInput => ({ Name, Info: info(usage) }) as unknown as DraftInput;

test('nothing is said of a form that asks for the same', () => {
  expect(changesOfForm([filled('Amount')], [input('Amount')])).toEqual([]);
});

test('what is new, gone or of another kind is named; what an editor has fixed is not asked for', () => {
  const form = [filled('Amount'), filled('Day'), filled('Old')];
  const inputs = [input('Amount'), input('Day', 'Date'), input('Extra'), input('Fixed', 'Number', '5')];
  expect(changesOfForm(form, inputs)).toEqual([
    'Extra is new.',
    'Old is no longer asked for.',
    'Day now accepts other values, and your entry is not one of them.',
  ]);
});
