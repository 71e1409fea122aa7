import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '#shared/contract/parameters.ts';
import { input } from '#test/support/portal.ts';
import { collectInputPaths } from './supplied-inputs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'given-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inputOf = (Name: string, info: Parameters<typeof input>[1]): Input => ({
  Id: 1,
  ActivityId: 1,
  Name,
  Description: '',
  HasAccess: true,
  PresetValue: null,
  PresetValueError: null,
  Info: input(Name, info).Info,
});
const costs = inputOf('Costs', {
  RangeType: 'RangeWithColumnHeaders',
  ColumnHeaderValues: ['Name', 'Amount'],
  Width: 2,
});
const rates = inputOf('Rates', { RangeType: 'SingleColumnOfSimilarValues' });

const messages: string[] = [];

async function readCsvValue(one: Input, csv: string): Promise<unknown> {
  messages.length = 0;
  const path = join(folder, 'rows.csv');
  await writeFile(path, csv);
  const { values } = await collectInputPaths({ Name: 'A', Inputs: [one] }, [`${one.Name}=@${path}`], {
    jsonFile: undefined,
    printMessage: (text) => messages.push(text),
  });
  return values[one.Name];
}

test('a row that a decimal comma parted is refused, and not cut to the columns', async () => {
  expect(await readCsvValue(costs, 'Amount,Name\n10,rent,\n')).toEqual([{ Amount: '10', Name: 'rent' }]);
  await expect(readCsvValue(costs, 'Name,Amount\nrent,10,5\n')).rejects.toThrow(
    'rows.csv: the row rent,10,5 has more than 2 cells; put a value with a comma in quotes',
  );
  expect(await readCsvValue(rates, '10\n20\n')).toEqual(['10', '20']);
  await expect(readCsvValue(rates, '10,5\n20\n')).rejects.toThrow('the row 10,5 has more than one cell');
});

test('rows may be separated by semicolons, as spreadsheet programs write them in half of Europe', async () => {
  expect(await readCsvValue(costs, 'Amount;Name\n10,5;rent\n')).toEqual([{ Amount: '10,5', Name: 'rent' }]);
  expect(await readCsvValue(costs, '"a, b";1.234,50\n')).toEqual([['a, b', '1.234,50']]);
  expect(await readCsvValue({ ...costs, Info: { ...costs.Info, ColumnHeaderValues: [] } }, '1,5;2,5\n')).toEqual([
    ['1,5', '2,5'],
  ]);
  expect(await readCsvValue(costs, 'Name,Amount\nrent;flat,10\n')).toEqual([{ Name: 'rent;flat', Amount: '10' }]);
});

test('blank rows are skipped, and those between others are reported', async () => {
  expect(await readCsvValue(costs, 'Name,Amount\nrent,10\n,\n" ",\nlight,20\n,\n,\n')).toEqual([
    { Name: 'rent', Amount: '10' },
    { Name: 'light', Amount: '20' },
  ]);
  expect(messages).toEqual([`Costs: skipped 2 blank rows of ${join(folder, 'rows.csv')}`]);
  expect(await readCsvValue(costs, 'rent,10\n,\n')).toEqual([['rent', '10']]);
  expect(messages).toEqual([]);
  const gaps = inputOf('Gaps', { RangeType: 'SingleColumnOfSimilarValues', Blanks: [true] });
  expect(await readCsvValue(gaps, '"1"\n""\n"3"\n')).toEqual(['1', null, '3']);
});
