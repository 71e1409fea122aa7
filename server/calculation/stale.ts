/**
 * Saved values that cannot be what Excel calculated last. Each reason is a fact that a reader can check in the file itself;
 * where there is none, a difference stays a difference.
 */
import type { CalculationModel } from './engine.ts';
import type { FormulaIndex } from './graph/formula-index.ts';
import { precedents } from './graph/precedents.ts';
import { PROPERTIES_PART } from './reader/saving-program.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';
import type { SavedValues } from './saved-values.ts';
import type { CallNode, Node } from './syntax/ast.ts';
import { walk } from './syntax/traverse.ts';
import { CellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

/** Arithmetic that can be followed on paper; all else might be calculated by rules we do not know well enough. */
const PLAIN_FUNCTIONS = new Set([
  'SUM',
  'IF',
  'AND',
  'OR',
  'NOT',
  'TRUE',
  'FALSE',
  'MIN',
  'MAX',
  'COUNT',
  'COUNTA',
  'AVERAGE',
  'ABS',
  'PI',
  'SQRT',
  'EXP',
  'SIN',
  'COS',
  'TAN',
  'BASE',
  'STDEV',
  'VAR',
  'SUBTOTAL',
]);
const PLAIN_OPERATORS = new Set(['+', '-', '*', '/', '=', '<>', '<', '>', '<=', '>=']);
const EXCEL = /^Microsoft (?:Macintosh )?Excel(?: Online)?$/;
const LONGEST_PROGRAM = 60;
const MOST_NAMED = 3;
/** Cells a formula may read and still be followed. */
const MOST_CELLS = 1_000;

export class StaleValues {
  private readonly model: WorkbookModel;
  private readonly index: FormulaIndex;
  private readonly saved: SavedValues;
  private readonly calculated: CalculationModel;

  constructor(model: WorkbookModel, index: FormulaIndex, saved: SavedValues, calculated: CalculationModel) {
    this.model = model;
    this.index = index;
    this.saved = saved;
    this.calculated = calculated;
  }

  /** Why the value saved for a formula that differs, though nothing it depends on does, is stale; null where nothing shows it. */
  reason(id: number): string | null {
    if (this.contradicts(id)) return 'stale: does not follow from the values saved in the cells it reads';
    const { origin } = this.model;
    const isOfExcel = EXCEL.test(origin?.program ?? 'Microsoft Excel');
    const unknown = isOfExcel ? this.unknownFunctions(id) : [];
    const names = unknown.join(', ');
    if (unknown.length > 0) return `stale: #NAME? of an Excel that did not know ${names}`;
    if (origin?.calculatesOnLoad) return 'stale: the file asks to be calculated when it is opened (fullCalcOnLoad)';
    if (origin?.isIncomplete) return 'stale: the file says that its calculation was not completed (calcCompleted)';
    if (isOfExcel) return null;
    const programName = origin!.program!.slice(0, LONGEST_PROGRAM);
    return `stale: saved by ${programName}, not by Excel (${origin?.programPart ?? PROPERTIES_PART})`;
  }

  /** Functions of a formula saved as #NAME? though it has a value, and none of the cells it reads that error: newer ones if there are any. */
  private unknownFunctions(id: number): string[] {
    const { tree, sheet, cell, row, col } = this.index.cells[id]!;
    if (!tree || !isNameError(this.saved.at(sheet, cell)) || isNameError(this.calculated.value(sheet, row, col)))
      return [];
    if (this.values(tree, id)?.some(isNameError) !== false) return [];
    const calls: CallNode[] = [];
    walk(tree, (node) => {
      if (node.type === 'call') calls.push(node);
      return true;
    });
    const newer = calls.filter(({ filePrefix }) => filePrefix !== '');
    return [...new Set((newer.length > 0 ? newer : calls).map(({ name }) => name))].slice(0, MOST_NAMED);
  }

  /** Whether plain arithmetic on the saved values of the cells read, and on nothing else, comes to another value. */
  private contradicts(id: number): boolean {
    const { tree, formula, sheet, row, col } = this.index.cells[id]!;
    if (!tree || this.model.origin?.roundsToDisplay) return false;
    if (!['normal', 'shared', 'filled'].includes(formula.kind)) return false;
    const texts: Node[] = [];
    if (!isPlain(tree, texts) || this.values(tree, id) === null) return false;
    // which rows of a list a filter hid when it was saved is not known
    if (hasCall(tree, 'SUBTOTAL') && this.model.sheets.some(({ hiddenRows }) => hiddenRows.length > 0)) return false;
    const isNumeric = (node: Node): boolean => {
      const { areas } = precedents(node, sheet, { row, col }, this.index.scope);
      return areas.length === 0 || this.values(node, id)!.every((value) => typeof value !== 'string');
    };
    return texts.every(isNumeric);
  }

  /** The values saved in the cells a part of the formula reads; null where there are too many, or one was calculated otherwise. */
  private values(node: Node, id: number): CellValue[] | null {
    const { sheet: own, row, col } = this.index.cells[id]!;
    const { areas, unknown } = precedents(node, own, { row, col }, this.index.scope);
    if (unknown) return null;
    const values: CellValue[] = [];
    for (const { sheet, block } of areas) {
      const size = (block.bottom - block.top + 1) * (block.right - block.left + 1);
      if (values.length + size > MOST_CELLS) return null;
      for (let y = block.top; y <= block.bottom; y += 1) {
        for (let x = block.left; x <= block.right; x += 1) {
          const value = this.saved.find(sheet, y, x);
          if (!isIdentical(value, this.calculated.value(sheet, y, x))) return null;
          values.push(value);
        }
      }
    }
    return values;
  }
}

const isNameError = (value: CellValue): boolean => value instanceof CellError && value.code === '#NAME?';

function hasCall(tree: Node, name: string): boolean {
  let found = false;
  walk(tree, (node) => {
    found ||= node.type === 'call' && node.name === name;
    return !found;
  });
  return found;
}

const isIdentical = (saved: CellValue, got: CellValue): boolean =>
  saved instanceof CellError && got instanceof CellError ? saved.code === got.code : saved === got;

/** Adds to `texts` the operands that must not be texts, because how texts are read as numbers is a matter of language. */
function isPlain(node: Node, texts: Node[]): boolean {
  switch (node.type) {
    case 'number':
    case 'text':
    case 'boolean':
    case 'error':
    case 'missing':
      return true;
    case 'reference':
      return node.prefix?.book === undefined || node.prefix.book === null;
    case 'structured':
      return node.prefix === null;
    case 'unary':
      // +A1 is A1, text or not
      if (node.operator === '+') return !isRange(node.operand) && isPlain(node.operand, texts);
      texts.push(node.operand);
      return node.operator !== '@' && isPlain(node.operand, texts) && node.operand.type !== 'text';
    case 'postfix':
      texts.push(node.operand);
      return node.operator === '%' && isPlain(node.operand, texts) && node.operand.type !== 'text';
    case 'binary': {
      const { operator, left, right } = node;
      if (!PLAIN_OPERATORS.has(operator) || !isPlain(left, texts) || !isPlain(right, texts)) return false;
      if (isRange(left) || isRange(right)) return false;
      if (operator === '=' || operator === '<>') return true;
      texts.push(left, right);
      return left.type !== 'text' && right.type !== 'text';
    }
    case 'call':
      if (node.name === 'AND' || node.name === 'OR' || node.name === 'NOT') texts.push(...node.args);
      return PLAIN_FUNCTIONS.has(node.name) && node.args.every((arg) => isPlain(arg, texts));
    default:
      return false;
  }
}

/** More cells than one for an operator are a matter of arrays. */
const isRange = (node: Node): boolean =>
  node.type === 'structured' || (node.type === 'reference' && node.shape !== 'cell');
