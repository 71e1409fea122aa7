/** VLOOKUP, HLOOKUP, LOOKUP, MATCH, XMATCH and XLOOKUP. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, REF_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { asMatrix, Range, type ArrayMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { singleOf, slice, truthOf, wholeOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { crossMatch, match, modesOf, type MatchType, type Vector } from './match.ts';

/** First rows and columns of arrays, cached because all lookups in an array share the index built for it. */
const firstRows = new WeakMap<ArrayMatrix, Vector>();
const firstCols = new WeakMap<ArrayMatrix, Vector>();

function firstRow(table: Vector, context: CallContext): Vector {
  if (table.rows === 1) return table;
  return cachedVector(firstRows, table, () => slice(table, 0, 0, 1, table.cols, context));
}

function firstCol(table: Vector, context: CallContext): Vector {
  if (table.cols === 1) return table;
  return cachedVector(firstCols, table, () => slice(table, 0, 0, table.rows, 1, context));
}

function cachedVector(vectors: WeakMap<ArrayMatrix, Vector>, table: Vector, build: () => Vector): Vector {
  if (table instanceof Range) return build();
  let vector = vectors.get(table);
  if (!vector) vectors.set(table, (vector = build()));
  return vector;
}

/** Returns an argument as a matrix, or an error. */
function matrixOf(arg: FormulaValue): Vector | CellError {
  if (arg instanceof CellError) return arg;
  return asMatrix(arg) ?? VALUE_ERROR;
}

/** A fractional search mode of XMATCH and XLOOKUP is rounded down (values saved by Excel). */
function searchMode(arg: FormulaValue): number | CellError {
  const number = arg === undefined ? 1 : toNumber(singleOf(arg));
  return typeof number === 'number' ? Math.floor(number) : number;
}

/** VLOOKUP and HLOOKUP. An empty fourth argument requests an exact match. */
function tableLookup(isVertical: boolean): FunctionDefinition['call'] {
  return (args, context) => {
    const [wanted, source, position, sorted] = args;
    if (typeof source === 'string') return VALUE_ERROR;
    const table = matrixOf(source);
    if (table instanceof CellError) return table;
    const number = wholeOf(position, 0);
    if (typeof number !== 'number') return number;
    const isSorted = truthOf(sorted, args.length < 4);
    if (isSorted instanceof CellError) return isSorted;
    const vector = isVertical ? firstCol(table, context) : firstRow(table, context);
    const at = match((wanted ?? null) as CellValue, vector, isSorted ? 'ascending' : 'exact', context);
    if (typeof at !== 'number') return at;
    // Excel checks the column number only after the value was found.
    if (number < 1) return VALUE_ERROR;
    if (number > (isVertical ? table.cols : table.rows)) return REF_ERROR;
    return isVertical ? table.at(at, number - 1) : table.at(number - 1, at);
  };
}

/**
 * LOOKUP: in a vector with a vector of results, or along the longer side of a table, with results from its last row or
 * column.
 */
function lookup([wanted, source, results]: FormulaValue[], context: CallContext): FormulaValue {
  const table = matrixOf(source);
  if (table instanceof CellError) return table;
  const isAlongRow = table.cols > table.rows;
  const vector = isAlongRow ? firstRow(table, context) : firstCol(table, context);
  const at = match((wanted ?? null) as CellValue, vector, 'ascending', context);
  if (typeof at !== 'number') return at;
  if (results === undefined) return isAlongRow ? table.at(table.rows - 1, at) : table.at(at, table.cols - 1);
  const answers = matrixOf(results);
  if (answers instanceof CellError) return answers;
  if (answers.rows > 1 && answers.cols > 1) return NA_ERROR;
  const isAcross = answers.rows === 1 && (answers.cols > 1 || isAlongRow);
  const size = isAcross ? answers.cols : answers.rows;
  if (at < size) return isAcross ? answers.at(0, at) : answers.at(at, 0);
  // A result range that is too short is extended beyond its end.
  if (!(answers instanceof Range)) return NA_ERROR;
  return isAcross ? answers.at(0, at) : answers.at(at, 0);
}

function matchCall(args: FormulaValue[], context: CallContext): FormulaValue {
  const [wanted, source, kind] = args;
  const vector = matrixOf(source);
  if (vector instanceof CellError) return vector;
  const number = kind === undefined ? (args.length < 3 ? 1 : 0) : toNumber(kind as CellValue);
  if (typeof number !== 'number') return number;
  if (vector.rows > 1 && vector.cols > 1) return NA_ERROR;
  const type: MatchType = number === 0 ? 'exact' : number > 0 ? 'ascending' : 'descending';
  const at = match((wanted ?? null) as CellValue, vector, type, context);
  return typeof at === 'number' ? at + 1 : at;
}

function xmatch([wanted, source, matchMode, search]: FormulaValue[], context: CallContext): FormulaValue {
  const vector = matrixOf(source);
  if (vector instanceof CellError) return vector;
  const modes = modesOf(wholeOf(matchMode, 0), searchMode(search));
  if (modes instanceof CellError) return modes;
  if (vector.rows > 1 && vector.cols > 1) return VALUE_ERROR;
  const at = crossMatch((wanted ?? null) as CellValue, vector, modes, context);
  return typeof at === 'number' ? at + 1 : at;
}

function xlookup(args: FormulaValue[], context: CallContext): FormulaValue {
  const [wanted, source, target, instead, matchMode, search] = args;
  const vector = matrixOf(source);
  if (vector instanceof CellError) return vector;
  const results = matrixOf(target);
  if (results instanceof CellError) return results;
  const modes = modesOf(wholeOf(matchMode, 0), searchMode(search));
  if (modes instanceof CellError) return modes;
  const { rows, cols } = vector;
  const isColumn = cols === 1 && results.rows === rows;
  if (!isColumn && (rows !== 1 || results.cols !== cols)) return VALUE_ERROR;
  const at = crossMatch((wanted ?? null) as CellValue, vector, modes, context);
  if (typeof at !== 'number') return at === NA_ERROR && wanted !== NA_ERROR && instead !== undefined ? instead : at;
  if (isColumn) return slice(results, at, 0, 1, results.cols, context);
  return slice(results, 0, at, results.rows, 1, context);
}

export const lookupFunctions: FunctionDefinition[] = [
  defineFunction('VLOOKUP', 'vavv', tableLookup(true), { required: 3 }),
  defineFunction('HLOOKUP', 'vavv', tableLookup(false), { required: 3 }),
  defineFunction('LOOKUP', 'vaa', lookup, { required: 2 }),
  defineFunction('MATCH', 'vav', matchCall, { required: 2 }),
  defineFunction('XMATCH', 'vavv', xmatch, { required: 2 }),
  defineFunction('XLOOKUP', 'vaarvv', xlookup, { required: 3 }),
];
