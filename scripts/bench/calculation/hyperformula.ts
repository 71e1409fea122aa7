/** HyperFormula (GPL) in the calculation bench. It calculates while it loads; `full` is its rebuildAndRecalculate. */
import type { Contestant } from './contestant.ts';
import { inputValue } from './inputs.ts';
import { sumOf } from './sheet.ts';

export const hyperFormula: Contestant = {
  hasCountedMemory: true,
  async load(sheet) {
    const { HyperFormula } = await import('hyperformula');
    const contents = Object.fromEntries(
      sheet.sheets.map(({ name, rows }) => [
        name,
        rows.map((row) => row.map((cell) => (typeof cell === 'object' && cell ? `=${cell.formula}` : cell))),
      ]),
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
