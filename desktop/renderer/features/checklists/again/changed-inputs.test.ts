import { expect, test } from 'vitest';
import type { FormInput } from '#shared/codecs/input-form.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import { openInput } from '#shared/rules/open-input.ts';
import { inputInfo } from '#shared/testing/input-info.ts';
import { changedInputs } from './changed-inputs.ts';

const input = (Id: number, Name: string, info: Partial<InputInfo> = {}) =>
  openInput({ Id, ActivityId: 1, Name, Info: inputInfo(info) });
const form = (value: FormInput['value'], more: Partial<FormInput> = {}): FormInput => ({
  value,
  files: [],
  useDefault: false,
  ...more,
});

const inputs = [
  input(1, 'Rate'),
  input(2, 'Month', { CellUsages: ['Text'] }),
  input(3, 'Paper', { CellUsages: ['FilePath'] }),
];
const earlier = { 1: form(0.5), 2: form('June'), 3: form('', { files: [{ FileId: 'a', FileName: 'a.pdf' }] }) };

test('only inputs with other values have changed', () => {
  expect(changedInputs(inputs, earlier, earlier)).toEqual([]);
  expect(changedInputs(inputs, earlier, { ...earlier, 1: form('0.7') })).toEqual(['Rate']);
  expect(changedInputs(inputs, earlier, { ...earlier, 2: form('') })).toEqual(['Month']);
  const file = form('', { files: [{ FileId: 'b', FileName: 'a.pdf' }] });
  expect(changedInputs(inputs, earlier, { ...earlier, 3: file })).toEqual(['Paper']);
});

test('a number that is typed as before has not changed', () => {
  expect(changedInputs(inputs, earlier, { ...earlier, 1: form('0.50'), 2: form('June') })).toEqual([]);
});

test('an input without an earlier value is compared with its default', () => {
  const { 2: _, ...others } = earlier;
  expect(changedInputs(inputs, others, { ...earlier, 2: form('') })).toEqual([]);
  expect(changedInputs(inputs, others, earlier)).toEqual(['Month']);
});
