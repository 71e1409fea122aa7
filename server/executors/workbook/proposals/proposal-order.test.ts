/** The order of proposals: what an author needs is among the first twelve. */
import { expect, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { proposalsOf } from '#test/support/proposed-marks.ts';

const FIRST = 12;
const row = (number: number, label: string, cell: CellSpec): CellSpec[] => [`${label} ${number}`, cell];

it('leaves the first places to many inputs if only one result is likely', async () => {
  const proposals = await proposalsOf([
    ...Array.from({ length: 11 }, (_, at) => row(at + 1, 'Answer', at + 1)),
    ...Array.from({ length: 11 }, (_, at) => row(at + 1, 'Step', `=B${at + 1}*${at + 2}`)),
    ['Final score', '=SUM(B12:B22)'],
  ]);
  const first = proposals.slice(0, FIRST);
  expect(first.filter(({ role }) => role === 'input')).toHaveLength(11);
  expect(first.filter(({ role }) => role === 'output').map(({ range }) => range)).toEqual(['B23']);
});

it('keeps a place for a result among many inputs', async () => {
  const proposals = await proposalsOf([
    ...Array.from({ length: 20 }, (_, at) => row(at + 1, 'Answer', at + 1)),
    ['Check', '=B1*2'],
  ]);
  expect(proposals.slice(0, FIRST).map(({ range }) => range)).toContain('B21');
});

it('prefers the result that depends on more inputs', async () => {
  const proposals = await proposalsOf([
    ['Length', 2],
    ['Width', 3],
    ['Height', 4],
    ['Density', 5],
    ['Perimeter', '=2*B1+2*B2'],
    ['Mass', '=B1*B2*B3*B4'],
    ...Array.from({ length: 9 }, (_, at) => row(at + 1, 'Size', at + 2)),
    ...Array.from({ length: 9 }, (_, at) => row(at + 1, 'Half of size', `=B${at + 7}/2`)),
  ]);
  const outputs = proposals.slice(0, FIRST).filter(({ role }) => role === 'output');
  expect(outputs.map(({ name }) => name)).toContain('Mass');
  expect(outputs.map(({ name }) => name)).not.toContain('Half_of_size_9');
});
