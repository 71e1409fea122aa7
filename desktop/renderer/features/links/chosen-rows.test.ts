import { expect, test } from 'vitest';
import type { ActivityLink } from '#shared/contract/activities.ts';
import type { Output, OutputInfo } from '#shared/contract/parameters.ts';
import { emptyTables, transformsOf } from './chosen-rows.ts';

const output = (Id: number, RangeType: OutputInfo['RangeType'], Value: string): Output => ({
  Id,
  ActivityId: 1,
  Name: `Output ${Id}`,
  Description: '',
  Value,
  Info: {
    RangeType,
    CellUsages: ['Number'],
    CalculateImmediately: false,
    SqlNames: [],
    HeaderRows: 0,
    HeaderCols: 0,
    RowsVariable: false,
    ColumnHeaderValues: [],
    RowHeaderValues: [],
    Formats: ['General'],
  },
});
const link: ActivityLink = {
  Id: 1,
  Name: 'On',
  ActivityId: 1,
  LinkedActivityId: 2,
  LinkedActivityName: 'Next',
  LinkInfo: JSON.stringify([1, 2, 3].map((id) => ({ source: id, target: id, ReadOnly: [true] }))),
  LastRun: null,
};
const outputs = [
  output(1, 'RangeWithColumnHeaders', '[[1],[2]]'),
  output(2, 'MatrixWithHeaders', '[[1],[2]]'),
  output(3, 'SingleCell', '5'),
  output(4, 'RangeWithColumnHeaders', '[]'),
];

test('rows go along only of tables that the link takes, and whose rows have no names', () => {
  const chosen = new Map([
    [1, [1]],
    [2, [0]],
  ]);
  expect(transformsOf(link, outputs, chosen)).toEqual([{ ActivityParameterId: 1, FilteredRowIndices: [1] }]);
});

test('tables without a row are those that are empty, and those of which none is left', () => {
  expect(emptyTables(link, outputs, new Map([[1, []]]))).toEqual(['Output 1']);
  expect(emptyTables(link, outputs, new Map([[2, []]]))).toEqual([]);
  expect(emptyTables(link, [output(1, 'RangeWithColumnHeaders', '[]')], new Map())).toEqual(['Output 1']);
});
