/**
 * Detects the look of a workbook's input cells, if its author gave them a fill or font color that formulas do not have.
 */
import type { CellStyle } from './cell-styles.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

/** Numbers of Excel's built-in named styles, ECMA-376 part 1, 18.8.7. */
const INPUT_STYLES = new Set([10, 20]);
const RESULT_STYLES = new Set([21, 22, 25]);

/** Minimum share of typed-in values, and maximum share of formulas, that have the look. */
const MIN_SHARE = 0.35;
const MAX_FORMULA_SHARE = 0.1;
const MIN_CELLS = 2;

export interface InputLook {
  isInput(style: CellStyle): boolean;
}

export function findInputLook(grids: readonly SheetGrid[]): InputLook {
  const values = new Map<string, number>();
  const formulas = new Map<string, number>();
  let valueCount = 0;
  let formulaCount = 0;
  for (const grid of grids) {
    for (let at = 0; at < grid.count; at++) {
      const content = grid.content(at);
      // In a form that nobody filled in, the cells that formulas read are blank.
      const isValue = (content === Content.Blank || grid.isValue(at)) && grid.singleReads(at) > 0;
      if (!isValue && content !== Content.Formula) continue;
      if (isValue) valueCount++;
      else formulaCount++;
      for (const look of looksOf(grid.style(at))) {
        const counts = isValue ? values : formulas;
        counts.set(look, (counts.get(look) ?? 0) + 1);
      }
    }
  }
  const chosen = new Set(
    [...values].flatMap(([look, count]) =>
      count >= MIN_CELLS &&
      count >= MIN_SHARE * valueCount &&
      (formulas.get(look) ?? 0) <= MAX_FORMULA_SHARE * Math.max(formulaCount, 1) &&
      (formulas.get(look) ?? 0) < count / 2
        ? [look]
        : [],
    ),
  );
  return { isInput: (style) => looksOf(style).some((look) => chosen.has(look)) };
}

function looksOf({ fill, fontColor }: CellStyle): string[] {
  const looks: string[] = [];
  if (fill !== null) looks.push(`fill ${fill}`);
  if (fontColor !== null) looks.push(`font ${fontColor}`);
  return looks;
}

export const hasInputStyle = ({ builtinStyle }: CellStyle): boolean =>
  builtinStyle !== null && INPUT_STYLES.has(builtinStyle);
export const hasResultStyle = ({ builtinStyle }: CellStyle): boolean =>
  builtinStyle !== null && RESULT_STYLES.has(builtinStyle);
