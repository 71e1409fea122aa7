/**
 * Calls functions of references over arrays of references: SUMIF(INDIRECT({"A1:A3","B1:B3"}), …) returns a sum for
 * each. INDIRECT and OFFSET create such arrays if their arguments are arrays. Source: Excel's behavior, known as
 * 'dereferencing' with N, SUBTOTAL and SUMIF.
 */
import { arrayTooLarge } from '../engine.ts';
import type { FunctionDefinition, ParameterKind } from '../functions/function.ts';
import { MAX_ARRAY_CELLS } from '../kernels/limits.ts';
import { CellError } from '../values/cell-value.ts';
import { NA_ERROR, VALUE_ERROR } from '../values/coerce.ts';
import { Areas, ArrayMatrix, Range, ReferenceArray } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Evaluation } from './code.ts';
import { commonShape, elementIndex, firstOf, toArray } from './lift.ts';

/**
 * Calls the function once for each element of the arrays and references at `places`; for INDIRECT and OFFSET, the
 * results form an array of references.
 */
export function liftReferences(
  { givesReferences }: FunctionDefinition,
  values: FormulaValue[],
  kinds: readonly ParameterKind[],
  indexes: readonly number[],
  call: (values: FormulaValue[]) => FormulaValue,
  c: Evaluation,
): FormulaValue {
  if (indexes.some((index) => values[index] instanceof Areas)) return VALUE_ERROR;
  const arrays = indexes.map((index) => {
    const value = values[index];
    return kinds[index] !== 'value' && value instanceof ReferenceArray ? value : toArray(value, c);
  });
  const { rows, cols } = commonShape(arrays);
  if (rows * cols > MAX_ARRAY_CELLS) throw arrayTooLarge(rows, cols);
  c.spend(rows * cols);
  const results: FormulaValue[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const args = values.slice();
      let isMissing = false;
      arrays.forEach((array, index) => {
        const at = elementIndex(array, row, col);
        isMissing ||= at < 0;
        args[indexes[index]!] = array instanceof ReferenceArray ? array.references[at] : array.cells[at];
      });
      results.push(isMissing ? NA_ERROR : call(args));
    }
  }
  if (rows * cols === 1) return results[0];
  return givesReferences
    ? new ReferenceArray(rows, cols, results.map(referenceOf))
    : new ArrayMatrix(rows, cols, results.map(firstOf));
}

const referenceOf = (value: FormulaValue): Range | Areas | CellError =>
  value instanceof Range || value instanceof Areas || value instanceof CellError ? value : VALUE_ERROR;
