import { expect, it } from 'vitest';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { compareInputs, compareOutputs } from './compare-runs.ts';

const info = (more: object = {}) => ({
  RangeType: 'SingleCell',
  CellUsages: ['Number'],
  Formats: ['0'],
  Specifications: ['Required'],
  ColumnHeaderValues: [] as string[],
  RowHeaderValues: [] as string[],
  ...more,
});
const entry = (ActivityParameterId: number, Name: string, Value: unknown, more: object = {}) => ({
  ActivityParameterId,
  Name,
  Value: Value === null ? null : JSON.stringify(Value),
  FileName: null,
  ContentLength: null,
  ParameterInfo: info(),
  ...more,
});
const run = (Inputs: object[], Outputs: object[] = [], StoredFiles: object[] = []) =>
  ({ Inputs, Outputs, StoredFiles }) as unknown as ActivityRun;

it('values that look alike in their format but are not are told to differ', () => {
  const [same, alike] = compareInputs(
    run([entry(1, 'A', 5), entry(2, 'B', 1.2)]),
    run([entry(1, 'A', 5), entry(2, 'B', 1.3)]),
  );
  expect(same).toMatchObject({ name: 'A', left: '5', right: '5', differs: false });
  expect(alike).toMatchObject({ left: '1', right: '1', differs: true });
});

it('inputs that one version does not have, and files of another size, differ', () => {
  const file = (ContentLength: number) => entry(3, 'File', null, { FileName: 'a.csv', ContentLength });
  const compared = compareInputs(run([entry(1, 'Old', 5), file(10)]), run([file(11), entry(9, 'New', 6)]));
  expect(compared).toMatchObject([
    { name: 'Old', left: '5', right: 'not in this version', differs: true },
    { name: 'File', left: 'a.csv', right: 'a.csv', differs: true },
    { name: 'New', left: 'not in this version', right: '6', differs: true },
  ]);
});

it('of tables the cells that differ are told, those of rows that only one has too', () => {
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
  const [plan] = compareOutputs(
    run(
      [],
      [
        table([
          ['a', 1],
          ['b', 2],
        ]),
      ],
    ),
    run(
      [],
      [
        table([
          ['a', 1],
          ['b', 3],
          ['c', 4],
        ]),
      ],
    ),
  );
  expect(plan).toMatchObject({ left: '2 rows', right: '3 rows', differs: true });
  expect(plan!.cells).toEqual([
    { row: '2', column: 'Sum', left: '2', right: '3' },
    { row: '3', column: 'Name', left: '', right: 'c' },
    { row: '3', column: 'Sum', left: '', right: '4' },
  ]);
});
