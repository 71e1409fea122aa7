import { expect, test } from 'vitest';
import type { CellUsage, Input } from '#shared/contract/parameters.ts';
import { DIFFERENT_TYPES } from '#shared/rules/checklist-rules.ts';
import { orderNote } from '#renderer/ui/order-field.ts';
import { speak } from '#renderer/language/translate.ts';
import {
  draftIssues,
  inputRows,
  mapByName,
  mapInputs,
  moved,
  NEW_CHECKLIST,
  setOrder,
  toEdit,
  unmapInputs,
  withActivity,
  withoutActivity,
  type ChecklistDraft,
  type DraftInput,
} from './checklist-draft.ts';

const input = (Id: number, ActivityId: number, Name: string, usage: CellUsage = 'Number'): Input =>
  ({
    Id,
    ActivityId,
    Name,
    PresetValue: null,
    Info: { RangeType: 'SingleCell', CellUsages: [usage], Specifications: ['Required'] },
  }) as Input;
const activity = (Id: number) => ({ Id, Name: `Step ${Id}`, Schema: 'General', CanRun: true, IsActive: true });

function draft(): ChecklistDraft {
  const first = withActivity({ ...NEW_CHECKLIST, Name: 'Close' }, activity(1), [
    input(11, 1, 'Year'),
    input(12, 1, 'Day', 'Date'),
  ]);
  return withActivity(first, activity(2), [input(21, 2, 'Year'), { ...input(22, 2, 'Preset'), PresetValue: '1' }]);
}

function mapTo(inputs: readonly DraftInput[], ids: number[], name: string): readonly DraftInput[] {
  const result = mapInputs(inputs, new Set(ids), name);
  if ('issue' in result) throw new Error(result.issue);
  return result.inputs;
}

const names = (inputs: readonly DraftInput[]): string[] =>
  inputs.map(({ InputName, Order }) => `${InputName} ${Order}`);

test('an activity comes with the inputs that can be mapped, once, and goes with them', () => {
  const both = draft();
  expect(both.inputs.map(({ Id }) => Id)).toEqual([11, 12, 21]);
  expect(withActivity(both, activity(1), [input(11, 1, 'Year')])).toBe(both);
  const turned = { ...both, activities: moved(both.activities, 0, 5) };
  expect(turned.activities.map(({ Id }) => Id)).toEqual([2, 1]);
  expect(inputRows(turned).map(({ Id }) => Id)).toEqual([21, 11, 12]);
  expect(withoutActivity(turned, 1).inputs.map(({ Id }) => Id)).toEqual([21]);
});

test('inputs of one name share their order, those added later too', () => {
  const { inputs } = draft();
  let mapped = mapTo(inputs, [11], 'Year');
  mapped = mapTo(mapped, [12], 'Closing day');
  mapped = mapTo(mapped, [21], ' year ');
  expect(names(mapped)).toEqual(['Year 1', 'Closing day 2', 'Year 1']);
  expect(names(setOrder(mapped, 'Year', '7'))).toEqual(['Year 7', 'Closing day 2', 'Year 7']);
  expect(names(unmapInputs(mapped, new Set([11])))).toEqual([' ', 'Closing day 2', 'Year 1']);
  expect(names(mapTo(mapped, [11, 21], 'Fiscal year'))).toEqual(['Fiscal year 1', 'Closing day 2', 'Fiscal year 1']);
});

test('what cannot be mapped says why and changes nothing', () => {
  const { inputs } = draft();
  expect(mapInputs(inputs, new Set([11, 12]), 'Both')).toEqual({ issue: DIFFERENT_TYPES });
  expect(mapInputs(inputs, new Set([11]), ' ')).toEqual({ issue: 'Enter a name for the input.' });
});

test('all are mapped by their names at once, but for a name that is one of another type already', () => {
  const { inputs } = draft();
  expect(names(mapByName(inputs))).toEqual(['Year 1', 'Day 2', 'Year 1']);
  const taken = mapTo(inputs, [12], 'Year');
  expect(names(mapByName(taken))).toEqual([' ', 'Year 1', ' ']);
});

const edit = { Id: 0, Revision: null, UniqueId: 'one' };

test('what is saved are the names with their inputs, none where none is mapped', () => {
  const before = draft();
  expect(toEdit(edit, before).Inputs).toEqual([]);
  const after = { ...before, inputs: mapByName(before.inputs) };
  expect(toEdit(edit, after)).toMatchObject({
    Activities: [{ Id: 1 }, { Id: 2 }],
    Inputs: [
      { InputName: 'Year', Order: 1, ActivityInputs: [{ Id: 11 }, { Id: 21 }] },
      { InputName: 'Day', Order: 2, ActivityInputs: [{ Id: 12 }] },
    ],
  });
  expect(draftIssues(after)).toEqual([]);
  const bad = { ...after, inputs: setOrder(after.inputs, 'Day', 'soon') };
  expect(draftIssues(bad)).toEqual([{ field: 'Inputs', message: 'Day: Order must be a number' }]);
});

test('all mappings may be removed again', () => {
  const before = draft();
  const after = { ...before, inputs: mapByName(before.inputs) };
  const all = new Set(after.inputs.map(({ Id }) => Id));
  const removed = { ...after, inputs: unmapInputs(after.inputs, all) };
  expect(draftIssues(removed)).toEqual([]);
  expect(toEdit(edit, removed).Inputs).toEqual([]);
});

test('an order is read as the user writes numbers, and an invalid one is reported by its name', () => {
  const orders = (Order: string) => draftIssues({ ...draft(), Order }).map(({ message }) => message);
  expect([orders(''), orders('-3'), orders('2.5')]).toEqual([[], [], []]);
  expect(orders('two')).toEqual(['Order must be a number']);
  expect(orders('3000000000')).toEqual(['Order must be between -2,147,483,646 and 2,147,483,646']);
  expect(orderNote('2.5')).toBe('Rounded to 3');
  const inputs = setOrder(mapByName(draft().inputs), 'Year', 'first');
  expect(draftIssues({ ...draft(), inputs }).map(({ message }) => message)).toEqual(['Year: Order must be a number']);
  speak('de', {});
  const german = { ...draft(), Order: '1.000' };
  const edit = toEdit({ Id: 1, Revision: null, UniqueId: null }, german);
  speak('en', {});
  expect(edit.Order).toBe(1000);
});
