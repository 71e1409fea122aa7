import { expect, test } from 'vitest';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { createTrialForm } from './trial-form.ts';

type Found = InspectedWorkbook['Inputs'][number];

/** Creates an input with a list, as far as its form needs it. */
function listInput(Items: Found['Items']): Found {
  const Info = {
    RangeType: 'SingleCell',
    CellUsages: ['Text'],
    Pickers: [{ Type: 'List', PreventOtherValues: true }],
    Specifications: ['Optional'],
    Blanks: [true],
    MaxSize: [null],
    Formats: [''],
    DefaultValue: '"EUR"',
  };
  return { Name: 'Currency', Description: '', Info, ...(Items && { Items }) } as unknown as Found;
}

/** Returns the picker type and the items that the form offers. */
function offered(found: Found) {
  const { activity, live } = createTrialForm([found], null).getState();
  return [activity.Inputs[0]!.Info.Pickers[0]!.Type, Object.values(live.lists)];
}

test('a list that is known offers its items', () => {
  expect(offered(listInput([['EUR', 'USD']]))).toEqual(['List', [['EUR', 'USD']]]);
});

test.each([
  ['that is long or depends on other values', [null]],
  ['of which nothing is told', undefined],
])('a list %s is no list: its values are typed, and the server checks them', (_, items) => {
  expect(offered(listInput(items))).toEqual(['None', []]);
});
