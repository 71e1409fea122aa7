import { describe, expect, it, vi } from 'vitest';
import type { InputInfo, Specification } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { compareInputs } from '#renderer/features/runs/compare/compare-runs.ts';
import { shownInputs } from './shown-values.ts';
import { valueTable } from '#renderer/ui/values/output-values.ts';

// The API client needs a window.
vi.mock('#renderer/api/client.ts', () => ({ call: vi.fn() }));

const info = (Specifications: Specification[], part: Partial<InputInfo> = {}): InputInfo =>
  ({
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: ['Text', 'Number'],
    Specifications,
    ColumnHeaderValues: ['Key', 'Amount'],
    RowHeaderValues: [],
    Formats: ['General', 'General'],
    ...part,
  }) as InputInfo;

const JSON_ROWS = JSON.stringify([
  [null, 5],
  [null, 7],
]);

const runWith = (ParameterInfo: InputInfo): ActivityRun =>
  ({
    Id: 1,
    Inputs: [{ ActivityParameterId: 2, Name: 'Deals', Value: JSON_ROWS, FileName: null, ParameterInfo }],
  }) as unknown as ActivityRun;

describe('the inputs of a run', () => {
  it('are shown without the columns that the form hides, whichever these are', () => {
    const run = runWith(info(['Hidden', 'Required']));
    const [shown] = shownInputs(run);
    expect(shown?.name).toBe('Deals');
    const table = valueTable(shown!.json, shown!.info, shown!.name);
    expect(table.columns.map(({ title }) => title)).toEqual(['Amount']);
    expect(table.rows.map(({ cells }) => cells)).toEqual([[5], [7]]);
    expect(compareInputs([run, run])).toHaveLength(1);
  });

  it('are shown without the rows that the form hides, where rows have the names', () => {
    const rows = info(['Hidden', 'Required'], { RangeType: 'RangeWithRowHeaders', RowHeaderValues: ['Key', 'Amount'] });
    expect(valueTable('[[null],[7]]', rows, 'Deals').rows).toEqual([{ index: 1, name: 'Amount', cells: ['7'] }]);
  });

  it('are shown with the formula that calculated them', () => {
    const run = runWith(info(['Required', 'Required']));
    run.Inputs[0]!.Formula = '=[A].[B]';
    expect(shownInputs(run)[0]?.formula).toBe('=[A].[B]');
  });

  it('are skipped if all of it is hidden', () => {
    const run = runWith(info(['Hidden', 'Hidden']));
    expect(shownInputs(run)).toEqual([]);
    expect(compareInputs([run, run])).toEqual([]);
  });
});
