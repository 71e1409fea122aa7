import { expect, it } from 'vitest';
import type { CellKind } from '#shared/codecs/cell-text.ts';
import { regionOf } from '#shared/codecs/text-region.ts';
import { TEXT, toClipboardHtml, type CopiedCell } from '#renderer/ui/grid/copied-cells.ts';
import { copiedNumbers } from './copied-numbers.ts';
import type { GridShape } from './grid-rows.ts';
import { pasteCells } from './paste-cells.ts';

const kinds: Pick<CellKind, 'usage' | 'format'>[] = [
  { usage: 'Text', format: 'General' },
  { usage: 'Number', format: '0.00%' },
];
const shape: GridShape = {
  width: 2,
  rowsVariable: true,
  maxRows: 100,
  kind: (_, col) => ({ ...kinds[col]!, maxSize: null, region: regionOf('de-DE'), canAsk: true }),
  isReadOnly: () => false,
  isHidden: () => false,
  countsBlankRows: false,
};
const number = (text: string, value: number): CopiedCell => ({
  text,
  value: { kind: 'number', value, format: '0.00' },
});
const RESULT = [
  [{ text: 'a > b', value: TEXT }, number('3,13%', 0.03125)],
  [
    { text: '', value: TEXT },
    { text: '', value: TEXT },
  ],
  [number('1.234,57', 1234.5678), number('1.234,57', 1234.5678)],
];
const lines = RESULT.map((row) => row.map(({ text }) => text));
const htmlOf = (rows: readonly CopiedCell[][], title = '') => toClipboardHtml([{ title, header: [], rows }]);
const paste = (html: string, copied = lines) =>
  pasteCells([['', null]], { top: 0, left: 0, bottom: 0, right: 0 }, copied, shape, null, copiedNumbers(html, copied));

it('pastes numbers of a result as they are, though their texts are rounded', () => {
  // Texts stay as they are displayed, and blank rows are skipped.
  expect(paste(htmlOf(RESULT)).rows.slice(0, 2)).toEqual([
    ['a > b', 0.03125],
    ['1.234,57', 1234.5678],
  ]);
  const single = [RESULT[2]!.slice(1)];
  const at = { top: 0, left: 1, bottom: 0, right: 1 };
  const copied = [['1.234,57']];
  const pasted = pasteCells([['', null]], at, copied, shape, null, copiedNumbers(htmlOf(single), copied));
  expect(pasted.rows[0]).toEqual(['', 1234.5678]);
});

it('pastes texts if the HTML has other cells, or no numbers', () => {
  const rounded = [0.0313, 12.3457];
  for (const html of ['', '<table><tr><td>1</td></tr></table>', htmlOf(RESULT, 'Plan')])
    expect(
      paste(html)
        .rows.slice(0, 2)
        .map(([, cell]) => cell),
    ).toEqual(rounded);
});
