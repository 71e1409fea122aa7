/** Warns about numbers entered into Text inputs that formulas calculate with: SUM, for example, ignores texts. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { Evidence } from '#server/calculation/kinds/formula-types.ts';
import type { InputDefinition } from '#server/executors/activity-definition.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { isClosedCell, ruleIndex } from '#shared/codecs/input-form.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { valueGrid } from '../anchors.ts';
import { savedText } from '../definitions/default-values.ts';
import type { Calculation } from './calculation.ts';
import type { RunLog } from './run-log.ts';
import { viewOf } from './workbook-views.ts';

/** Logs one warning per column, for its first such cell. */
export function warnOfNumberTexts(
  calculation: Pick<Calculation, 'model' | 'now'>,
  input: InputDefinition,
  rows: readonly (readonly FormCell[])[],
  log: RunLog,
): void {
  const { model } = calculation;
  const { Name, Info, location } = input;
  const seen = new Set<number>();
  for (const [y, cells] of rows.entries()) {
    for (const [x, cell] of cells.entries()) {
      const index = ruleIndex(Info, y, x);
      if (seen.has(index) || Info.CellUsages[index] !== 'Text' || isClosedCell(Info, y, x)) continue;
      if (typeof cell !== 'string' || parseNumber(cell) === null || isSaved(model, input, y, x, cell)) continue;
      seen.add(index);
      const evidence = viewOf(model).formulaTypes!.evidence(location.sheet, linesOf(input, y, x));
      // A validation also reads the number in a text.
      if (!evidence || evidence.by === 'validation' || (evidence.kind !== 'Number' && evidence.kind !== 'Date'))
        continue;
      log.warn(`Input '${Name}': ${sentence(calculation, cell, evidence)}`, LogCode.NumberInText);
    }
  }
}

function sentence(
  { model, now }: Pick<Calculation, 'model' | 'now'>,
  cell: string,
  { sheet, row, col, by }: Evidence,
): string {
  const { top } = now(sheet, { top: row, left: col, bottom: row, right: col });
  const address = `${model.sheets[sheet]!.name}!${formatCell(top, col)}`;
  const use = by === 'format' ? `${address} shows it as one` : `the formula in ${address} calculates with it (${by})`;
  return (
    `'${cell.slice(0, 60)}' was entered as a text and not as a number, and ${use}. Texts may not count there. ` +
    'An editor of the activity can give the cell a number format, or enter Number under CellUsages in PortalInputs'
  );
}

/** Returns the cells similar to one: its column, its row if headers are on the left, or all of them. */
function linesOf({ Info, location: { block, anchors } }: InputDefinition, y: number, x: number): CellBlock {
  const { rowAt, colAt } = valueGrid(block, anchors);
  if (Info.CellUsages.length <= 1) return block;
  if (Info.RangeType === 'RangeWithRowHeaders') return { ...block, top: rowAt(y), bottom: rowAt(y) };
  return { ...block, left: colAt(x), right: colAt(x) };
}

/** A value that was returned unchanged remains the number that the file contains. */
function isSaved(model: WorkbookModel, { location }: InputDefinition, y: number, x: number, cell: string): boolean {
  const { sheet, block, anchors } = location;
  const { rowAt, colAt } = valueGrid(block, anchors);
  const { value } = viewOf(model).cell(sheet, rowAt(y), colAt(x));
  return (typeof value === 'number' || typeof value === 'boolean') && savedText(value) === cell;
}
