/**
 * Detects saved values that cannot be the result of Excel's last calculation. Each reason is a fact that users can
 * verify in the file; without such a reason, a difference remains a difference.
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

/** Functions simple enough to verify by hand; others may follow rules that we do not know well enough. */
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
const MAX_PROGRAM_NAME_LENGTH = 60;
const MAX_NAMED_FUNCTIONS = 3;
/** Maximum number of cells that a formula can read to be verified. */
const MAX_CELLS_PER_FORMULA = 1_000;

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

  /**
   * Returns why the saved value of a formula is stale, if the formula differs although nothing it depends on does; null
   * if there is no reason.
   */
  reason(id: number): string | null {
    if (this.contradicts(id)) return 'stale: does not match the saved values of the cells it reads';
    const { origin } = this.model;
    const isOfExcel = EXCEL.test(origin?.program ?? 'Microsoft Excel');
    const unknown = isOfExcel ? this.unknownFunctions(id) : [];
    const names = unknown.join(', ');
    if (unknown.length > 0) return `stale: #NAME? from an Excel version that did not know ${names}`;
    if (origin?.calculatesOnLoad) return 'stale: the file requests a recalculation when it is opened (fullCalcOnLoad)';
    if (origin?.isIncomplete) return 'stale: the file says that its calculation was not completed (calcCompleted)';
    if (isOfExcel) return null;
    const programName = origin!.program!.slice(0, MAX_PROGRAM_NAME_LENGTH);
    return `stale: saved by ${programName}, not by Excel (${origin?.programPart ?? PROPERTIES_PART})`;
  }

  /**
   * Returns the functions of a formula saved as #NAME? although it has a value and none of the cells it reads has this
   * error; only the newer functions if there are any.
   */
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
    return [...new Set((newer.length > 0 ? newer : calls).map(({ name }) => name))].slice(0, MAX_NAMED_FUNCTIONS);
  }

  /** Returns true if plain arithmetic on only the saved values of the cells read gives another value. */
  private contradicts(id: number): boolean {
    const { tree, formula, sheet, row, col } = this.index.cells[id]!;
    if (!tree || this.model.origin?.roundsToDisplay) return false;
    if (!['normal', 'shared', 'filled'].includes(formula.kind)) return false;
    const texts: Node[] = [];
    if (!isPlain(tree, texts) || this.values(tree, id) === null) return false;
    // The rows hidden by a filter when the file was saved are unknown.
    if (hasCall(tree, 'SUBTOTAL') && this.model.sheets.some(({ hiddenRows }) => hiddenRows.length > 0)) return false;
    const isNumeric = (node: Node): boolean => {
      const { areas } = precedents(node, sheet, { row, col }, this.index.scope);
      return areas.length === 0 || this.values(node, id)!.every((value) => typeof value !== 'string');
    };
    return texts.every(isNumeric);
  }

  /**
   * Returns the saved values of the cells that a part of the formula reads; null if there are too many or if one
   * differs from its calculated value.
   */
  private values(node: Node, id: number): CellValue[] | null {
    const { sheet: own, row, col } = this.index.cells[id]!;
    const { areas, unknown } = precedents(node, own, { row, col }, this.index.scope);
    if (unknown) return null;
    const values: CellValue[] = [];
    for (const { sheet, block } of areas) {
      const size = (block.bottom - block.top + 1) * (block.right - block.left + 1);
      if (values.length + size > MAX_CELLS_PER_FORMULA) return null;
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

/**
 * Returns true if the formula is plain arithmetic. Adds to `texts` the operands that must not be texts, because reading
 * texts as numbers depends on the language.
 */
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
      // +A1 is A1, even for a text.
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

/** Operators on more than one cell involve arrays. */
const isRange = (node: Node): boolean =>
  node.type === 'structured' || (node.type === 'reference' && node.shape !== 'cell');
