/** HyperFormula (GPL) in the calculation bench. It calculates during loading; `full` is its rebuildAndRecalculate. */
import { loadHyperFormula } from '../peers.ts';
import type { Contestant } from './contestant.ts';
import { inputValue } from './inputs.ts';
import { sumOf, typed } from './sheet.ts';
import type { Cell } from './sheet.ts';

/** HyperFormula has no AVERAGEIFS, and marks array formulas with a function around them. */
function contentOf(cell: Cell): number | string | null {
  if (typeof cell !== 'object' || !cell) return cell;
  const formula = typed(cell).replaceAll(/AVERAGEIFS\(([^,()]+),([^()]+)\)/g, '(SUMIFS($1,$2)/COUNTIFS($2))');
  return cell.isArray ? `=ARRAYFORMULA(${formula})` : `=${formula}`;
}

/** HyperFormula knows TRUE and FALSE only as functions. These named expressions come from its documentation. */
const TRUTH_VALUES = ['TRUE', 'FALSE'].map((name) => ({ name, expression: `=${name}()` }));

export const hyperFormula: Contestant = {
  hasCountedMemory: true,
  load(sheet) {
    const { HyperFormula } = loadHyperFormula();
    const contents = Object.fromEntries(
      sheet.sheets.map(({ name, rows }) => [name, rows.map((row) => row.map(contentOf))]),
    );
    const options = { licenseKey: 'gpl-v3', maxRows: 200_000, dateFormats: [] };
    const names = (sheet.names ?? []).map(([name, text]) => ({ name, expression: `=${text}` }));
    const book = HyperFormula.buildFromSheets(contents, options, [...TRUTH_VALUES, ...names]);
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
