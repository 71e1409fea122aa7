/** AND, OR, XOR, NOT, TRUE, FALSE. The compiler handles the functions that calculate only some of their arguments. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { toBoolean, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, eachValue, isMatrix, Lambda } from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction } from '../function.ts';
import type { FunctionDefinition } from '../function.ts';

/**
 * Calls `take` for each Boolean; texts and blanks in ranges and arrays are ignored. A direct argument that is a
 * non-Boolean text is ignored after a Boolean. Before the first Boolean it gives #VALUE! unless an error follows:
 * AND(TRUE,"0") is TRUE, AND("1",1) is not (values saved by Excel). Returns #VALUE! if there is no Boolean at all.
 */
function eachTruth(args: FormulaValue[], take: (truth: boolean) => void): CellError | null {
  let failure: CellError | null = null;
  let found = false;
  let isUnreadable = false;
  const one = (truth: boolean | CellError): boolean => {
    if (truth instanceof CellError) failure = truth;
    else {
      take(truth);
      found = true;
    }
    return failure !== null;
  };
  for (const arg of args) {
    if (arg instanceof Lambda) return VALUE_ERROR;
    const matrices = arg instanceof Areas ? arg.ranges : isMatrix(arg) ? [arg] : null;
    if (!matrices) {
      const truth = arg === undefined ? false : toBoolean(arg as CellValue);
      if (typeof arg !== 'string' || typeof truth === 'boolean') one(truth);
      else if (!found && arg !== '') isUnreadable = true;
    }
    for (const matrix of matrices ?? []) {
      eachValue(matrix, (value) => (value === null || typeof value === 'string' ? false : one(toBoolean(value))));
    }
    if (failure) return failure;
  }
  return found && !isUnreadable ? null : VALUE_ERROR;
}

function folded(name: string, start: boolean, fold: (result: boolean, truth: boolean) => boolean): FunctionDefinition {
  return defineFunction(
    name,
    'r',
    (args) => {
      let result = start;
      const failure = eachTruth(args, (truth) => {
        result = fold(result, truth);
      });
      return failure ?? result;
    },
    { required: 1, repeat: 1, takesErrors: true },
  );
}

export const logicalFunctions: FunctionDefinition[] = [
  folded('AND', true, (result, truth) => result && truth),
  folded('OR', false, (result, truth) => result || truth),
  folded('XOR', false, (result, truth) => result !== truth),
  defineFunction('NOT', 'v', ([value]) => {
    const truth = toBoolean(value as CellValue);
    return typeof truth === 'boolean' ? !truth : truth;
  }),
  defineFunction('TRUE', '', () => true),
  defineFunction('FALSE', '', () => false),
];
