/**
 * Saved values that cannot be what Excel calculated last. Each reason is a fact that a reader can check in the file itself;
 * where there is none, a difference stays a difference.
 */
import type { CalculationModel } from './engine.ts';
import type { FormulaIndex } from './graph/formula-index.ts';
import { precedents } from './graph/precedents.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';
import type { SavedValues } from './saved-values.ts';
import type { Node } from './syntax/ast.ts';
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
]);
const PLAIN_OPERATORS = new Set(['+', '-', '*', '/', '=', '<>', '<', '>', '<=', '>=']);
const EXCEL = /^Microsoft (?:Macintosh )?Excel(?: Online)?$/;
const LONGEST_PROGRAM = 60;
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
    if (origin?.calculatesOnLoad) return 'stale: the file asks to be calculated when it is opened (fullCalcOnLoad)';
    if (origin?.isIncomplete) return 'stale: the file says that its calculation was not completed (calcCompleted)';
    const program = origin?.program ?? null;
    if (program === null || EXCEL.test(program)) return null;
    return `stale: saved by ${program.slice(0, LONGEST_PROGRAM)}, not by Excel (docProps/app.xml)`;
  }

  /** Whether plain arithmetic on the saved values of the cells read, and on nothing else, comes to another value. */
  private contradicts(id: number): boolean {
    const { tree, formula, sheet, row, col } = this.index.cells[id]!;
    if (!tree || this.model.origin?.roundsToDisplay) return false;
    if (!['normal', 'shared', 'filled'].includes(formula.kind)) return false;
    const texts: Node[] = [];
    if (!isPlain(tree, texts) || this.values(tree, id) === null) return false;
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
const isRange = (node: Node): boolean => node.type === 'reference' && node.shape !== 'cell';
