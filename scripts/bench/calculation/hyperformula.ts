/** HyperFormula (GPL) in the calculation bench. It calculates while it loads; `full` is its rebuildAndRecalculate. */
import type { Contestant } from './contestant.ts';
import { inputValue } from './inputs.ts';
import { sumOf, typed } from './sheet.ts';
import type { Cell } from './sheet.ts';

/** It knows array formulas by a function around them. */
function contentOf(cell: Cell): number | string | null {
  if (typeof cell !== 'object' || !cell) return cell;
  return cell.isArray ? `=ARRAYFORMULA(${typed(cell)})` : `=${typed(cell)}`;
}

export const hyperFormula: Contestant = {
  hasCountedMemory: true,
  async load(sheet) {
    const { HyperFormula } = await import('hyperformula');
    const contents = Object.fromEntries(
      sheet.sheets.map(({ name, rows }) => [name, rows.map((row) => row.map(contentOf))]),
    );
    const options = { licenseKey: 'gpl-v3', maxRows: 200_000, dateFormats: [] };
    const book = HyperFormula.buildFromSheets(
      contents,
      options,
      sheet.names?.map(([name, text]) => ({ name, expression: `=${text}` })),
    );
    return {
      full: () => book.rebuildAndRecalculate(),
      inputs: (round) => {
        book.batch(() => {
          sheet.inputs.forEach(({ row, col }, index) =>
            book.setCellContents({ sheet: 0, row, col }, inputValue(index, round)),
          );
        });
      },
      check: () =>
        sumOf(sheet, (at, { top, left, bottom, right }) =>
          book.getRangeValues({
            start: { sheet: at, row: top, col: left },
            end: { sheet: at, row: bottom, col: right },
          }),
        ),
      close: () => book.destroy(),
    };
  },
};
