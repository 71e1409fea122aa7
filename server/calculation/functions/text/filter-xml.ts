/** FILTERXML: finds texts in an XML document by XPath. Source: Microsoft, 'FILTERXML function'. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { parseXml, stringValue } from '#server/calculation/values/xpath/document.ts';
import { evaluateXPath } from '#server/calculation/values/xpath/evaluate-xpath.ts';
import { parseXPath } from '#server/calculation/values/xpath/syntax.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** Converts plain numbers to numbers. */
function cellOf(text: string): CellValue {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

function filterXml([xml, path]: FormulaValue[], context: CallContext): FormulaValue {
  const text = toText(xml as CellValue);
  if (text instanceof CellError) return text;
  const expression = toText(path as CellValue);
  if (expression instanceof CellError) return expression;
  context.spend(text.length + expression.length);
  const root = parseXml(text);
  const tree = parseXPath(expression);
  if (!root || !tree) return VALUE_ERROR;
  const nodes = evaluateXPath(tree, root, (steps) => context.spend(steps));
  // Counts and Booleans are not nodes.
  if (nodes === null || typeof nodes !== 'object' || nodes.length === 0) return VALUE_ERROR;
  const cells = nodes.map((node) => cellOf(stringValue(node)));
  return cells.length === 1 ? cells[0]! : new ArrayMatrix(cells.length, 1, cells);
}

export const xmlFunctions: FunctionDefinition[] = [defineFunction('FILTERXML', 'vv', filterXml)];
