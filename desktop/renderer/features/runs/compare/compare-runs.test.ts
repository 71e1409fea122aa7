import { expect, it } from 'vitest';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { changeText, compareInputs, compareOutputs } from './compare-runs.ts';

const info = (more: object = {}) => ({
  RangeType: 'SingleCell',
  CellUsages: ['Number'],
  Formats: ['0'],
  Specifications: ['Required'],
  ColumnHeaderValues: [] as string[],
  RowHeaderValues: [] as string[],
  DefaultValue: null as string | null,
  ...more,
});
const entry = (ActivityParameterId: number, Name: string, Value: unknown, more: object = {}) => ({
  ActivityParameterId,
  Name,
  Value: Value === null ? null : JSON.stringify(Value),
  FileName: null,
  ContentLength: null,
  UseDefault: false,
  HasPresetValue: false,
  ParameterInfo: info(),
  ...more,
});
const run = (Inputs: object[], Outputs: object[] = [], StoredFiles: object[] = []) =>
  ({ Type: 'Workbook', Inputs, Outputs, StoredFiles }) as unknown as ActivityRun;

it('values that look alike in their format but differ are reported as different', () => {
  const [same, alike] = compareInputs([
    run([entry(1, 'A', 5), entry(2, 'B', 1.2)]),
    run([entry(1, 'A', 5), entry(2, 'B', 1.3)]),
  ]);
  expect(same).toMatchObject({ name: 'A', texts: ['5', '5'], changes: ['', ''], differs: false });
  expect(alike).toMatchObject({ texts: ['1', '1'], changes: ['', '+0.100 (+8.33 %)'], differs: true });
});

it('inputs that one version does not have, and files of another size, differ', () => {
  const file = (ContentLength: number) => entry(3, 'File', null, { FileName: 'a.csv', ContentLength });
  const compared = compareInputs([run([entry(1, 'Old', 5), file(10)]), run([file(11), entry(9, 'New', 6)])]);
  expect(compared).toMatchObject([
    { name: 'Old', texts: ['5', 'not in this version'], differs: true },
    { name: 'File', texts: ['a.csv', 'a.csv'], differs: true },
    { name: 'New', texts: ['not in this version', '6'], differs: true },
  ]);
});

it('of tables the differing cells are reported, also those of rows that only one has', () => {
  const table = (Value: unknown) => ({
    Id: 4,
    Name: 'Plan',
    Info: info({
      RangeType: 'RangeWithColumnHeaders',
      CellUsages: ['Text', 'Number'],
      ColumnHeaderValues: ['Name', 'Sum'],
    }),
    Value: JSON.stringify(Value),
  });
  const of = (...rows: unknown[]) => run([], [table(rows)]);
  const [plan] = compareOutputs([of(['a', 1], ['b', 2]), of(['a', 1], ['b', 3], ['c', 4]), of(['a', 1], ['b', 2])]);
  expect(plan).toMatchObject({ texts: ['2 rows', '3 rows', '2 rows'], differs: true });
  expect(plan!.cells).toEqual([
    { row: '2', column: 'Sum', texts: ['2', '3', '2'] },
    { row: '3', column: 'Name', texts: ['', 'c', ''] },
    { row: '3', column: 'Sum', texts: ['', '4', ''] },
  ]);
});

it('of several runs each is held against the first', () => {
  const [one] = compareInputs([5, 5, 4, 0].map((value) => run([entry(1, 'A', value)])));
  expect(one).toMatchObject({ changes: ['', '', '\u22121 (\u221220 %)', '\u22125 (\u2212100 %)'], differs: true });
});

it('a change is shown by its size and, if there is a base, by its share', () => {
  const plain = (value: number): string => value.toFixed(0);
  expect(changeText(200, 250, plain)).toBe('+50 (+25 %)');
  expect(changeText(0, 7, plain)).toBe('+7');
  expect(changeText(-10, -12, plain)).toBe('\u22122 (\u221220 %)');
  expect(changeText(3, 3, plain)).toBe('');
});

const OWN = { UseDefault: true };

it("a value that was entered and equals the workbook's own, or the preset one, is the same", () => {
  const offered = {
    ParameterInfo: info({ Specifications: ['Suggested'], AllowDefaultValue: true, DefaultValue: '5' }),
  };
  const [rate, other] = compareInputs([
    run([entry(1, 'Rate', null, { ...offered, ...OWN }), entry(2, 'Other', null, { ...offered, ...OWN })]),
    run([entry(1, 'Rate', 5, offered), entry(2, 'Other', 6, offered)]),
    run([entry(1, 'Rate', 5, { ...offered, HasPresetValue: true }), entry(2, 'Other', 5, offered)]),
  ]);
  expect(rate).toMatchObject({
    texts: ['5', '5', '5'],
    changes: ['', '', ''],
    notes: ['the value of the workbook', '', 'Preset'],
    differs: false,
  });
  expect(other).toMatchObject({ texts: ['5', '6', '5'], changes: ['', '+1 (+20 %)', ''], differs: true });
});

it('values of the workbook in a table or blank cell are distinguished cell by cell from entered ones', () => {
  const table = {
    ParameterInfo: info({
      RangeType: 'RangeWithColumnHeaders',
      CellUsages: ['Text', 'Number'],
      Specifications: ['Optional', 'Display'],
      ColumnHeaderValues: ['Name', 'Sum'],
      Width: 2,
      Height: 2,
      DefaultValue: '[["a",1],["b",2]]',
    }),
  };
  const blank = { ParameterInfo: info({ Specifications: ['Optional'] }) };
  const [plan, none] = compareInputs([
    run([entry(4, 'Plan', null, { ...table, ...OWN }), entry(5, 'None', null, { ...blank, ...OWN })]),
    run([
      entry(
        4,
        'Plan',
        [
          ['a', null],
          ['b', null],
        ],
        table,
      ),
      { ...entry(5, 'None', null, blank), Value: 'null' },
    ]),
  ]);
  expect(plan).toMatchObject({ texts: ['2 rows', '2 rows'], differs: false, cells: [] });
  expect(none).toMatchObject({ texts: ['', ''], differs: false });
});

it('results of formulas, and values of another version of the workbook, are compared by value', () => {
  const calculated = { ParameterInfo: info({ Specifications: ['Suggested'], Calculated: [true], DefaultValue: '5' }) };
  const of = (DefaultValue: string) => ({ ParameterInfo: info({ Specifications: ['Optional'], DefaultValue }) });
  const compared = compareInputs([
    run([entry(1, 'Sum', null, { ...calculated, ...OWN }), entry(2, 'Rate', null, { ...of('5'), ...OWN })]),
    run([entry(1, 'Sum', 5, calculated), entry(2, 'Rate', null, { ...of('7'), ...OWN })]),
  ]);
  expect(compared).toMatchObject([
    { name: 'Sum', texts: ['', '5'], differs: true },
    { name: 'Rate', texts: ['5', '7'], differs: true },
  ]);
});
