/**
 * Calls functions with values: element by element over arrays if a parameter takes single values, and over arrays of
 * references.
 */
import { REFUSES_RANGES } from '../functions/add-in-functions.ts';
import type { FunctionDefinition, ParameterKind } from '../functions/function.ts';
import { CellError } from '../values/cell-value.ts';
import { VALUE_ERROR } from '../values/coerce.ts';
import { Areas, Lambda, Range, ReferenceArray } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Evaluation } from './code.ts';
import { dereferenced, isLifted, liftCall } from './lift.ts';
import { liftReferences } from './lift-references.ts';

export const isReference = (value: FormulaValue): boolean =>
  value instanceof Range || value instanceof Areas || value === undefined;

export const notReference = (value: FormulaValue): CellError => (value instanceof CellError ? value : VALUE_ERROR);

/** Calls a function with evaluated arguments, element by element over arrays whose parameters take single values. */
export function applyFunction(
  definition: FunctionDefinition,
  values: FormulaValue[],
  kinds: readonly ParameterKind[],
  c: Evaluation,
): FormulaValue {
  let lifted: number[] | null = null;
  let hasReferences = false;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    const kind = kinds[index];
    if (kind === 'value') {
      if (typeof value !== 'object' || value === null) continue;
      if (value instanceof Range && value.rows === 1 && value.cols === 1) {
        // A cell is a single value, so the function's result may be an array or a reference.
        const cell = value.at(0, 0);
        if (cell instanceof CellError && !definition.takesErrors) return cell;
        values[index] = cell;
      } else if (value instanceof Range && REFUSES_RANGES.has(definition.name)) return VALUE_ERROR;
      else if (isLifted(value)) (lifted ??= []).push(index);
      else if (value instanceof CellError && !definition.takesErrors) return value;
      else if (value instanceof Lambda && !definition.takesFunctions) return VALUE_ERROR;
    } else if (value instanceof ReferenceArray) {
      if (kind === 'array') values[index] = dereferenced(value, c);
      else {
        (lifted ??= []).push(index);
        hasReferences = true;
      }
    } else if (kind === 'reference' && !isReference(value)) return notReference(value);
  }
  if (!lifted) return definition.call(values, c);
  const liftedIndexes = lifted;
  if (hasReferences || definition.givesReferences) {
    return liftReferences(
      definition,
      values,
      kinds,
      liftedIndexes,
      (single) => callOnce(definition, single, kinds, liftedIndexes, c),
      c,
    );
  }
  return liftCall(values, liftedIndexes, (single) => callOnce(definition, single, kinds, liftedIndexes, c), c);
}

function callOnce(
  definition: FunctionDefinition,
  values: FormulaValue[],
  kinds: readonly ParameterKind[],
  indexes: readonly number[],
  c: Evaluation,
): FormulaValue {
  for (const index of indexes) {
    const value = values[index];
    if (value instanceof CellError && (!definition.takesErrors || kinds[index] === 'reference')) return value;
  }
  return definition.call(values, c);
}
