/**
 * Formulas that are not in a cell, such as those of data validations. They are parsed as written and evaluated as if
 * they were in a given cell.
 */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { compileFormula } from '../compile/compiler.ts';
import { isLifted, toArray } from '../compile/lift.ts';
import { findFunction } from '../functions/registry.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';
import { referenceBlock } from '../syntax/areas.ts';
import { Absolute } from '../syntax/ast.ts';
import type { Node, ReferenceNode } from '../syntax/ast.ts';
import { ParseError } from '../syntax/parse-error.ts';
import { parseFormula } from '../syntax/parser.ts';
import { printRelative } from '../syntax/printer.ts';
import { depthOf, walk } from '../syntax/traverse.ts';
import type { TableChange } from '../tables/follow-groups.ts';
import { followTable } from '../tables/resize-table.ts';
import type { CellValue } from '../values/cell-value.ts';
import { NAME_ERROR } from '../values/coerce.ts';
import { Areas, Range } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Book, ReadyFormula } from './book.ts';
import type { Evaluator } from './evaluator.ts';
import { nameTables } from './formula-trees.ts';
import { isOtherBook, Scope } from './scope.ts';
import type { PlacedFormula, PlacedResult } from '#server/calculation/placed-formula.ts';

/** Returns why a formula cannot be calculated here, as a text for the author of the workbook; null if it can. */
export function placedFormulaProblem(model: WorkbookModel, { text, sheet, base }: PlacedFormula): string | null {
  const scope = new Scope(model);
  const tree = parsePlaced({ text, sheet, base }, scope);
  if (!tree) return 'its formula cannot be read';
  const { missing } = compileFormula(tree, { scope, sheet, mode: 'array', findFunction }).traits;
  let problem = missing.size > 0 ? `it uses ${[...missing].join(', ')}, which cannot be calculated here` : null;
  walk(tree, (node) => {
    problem ??= nodeProblem(node, sheet, scope);
  });
  return problem;
}

function nodeProblem(node: Node, sheet: number, scope: Scope): string | null {
  if (node.type === 'error' && node.code === '#REF!') return 'it reads cells that no longer exist (#REF!)';
  if (node.type !== 'reference' && node.type !== 'name' && node.type !== 'structured') return null;
  if (isOtherBook(node.prefix)) return 'it reads another workbook';
  if (node.type === 'reference') {
    const isThere = scope.prefixSheets(node.prefix, sheet) !== null;
    return isThere ? null : `it reads the sheet '${node.prefix?.first ?? ''}', which is not there`;
  }
  if (node.type === 'structured') {
    const isThere = node.table === null || scope.table(node.table) !== null;
    return isThere ? null : `it reads the table '${node.table}', which is not there`;
  }
  if (node.variable || node.isFunction) return null;
  const named = scope.name(node, sheet);
  if (!named) return `it reads the name '${node.name}', which is not there`;
  return /\[[^\]]+\][^!]*!/.test(named.text) ? `the name '${node.name}' leads to another workbook` : null;
}

/** Returns true if the formula has the same result in every cell. */
export function isFixedFormula({ text, sheet, base }: PlacedFormula, model: WorkbookModel): boolean {
  const scope = new Scope(model);
  const tree = parsePlaced({ text, sheet, base }, scope);
  let isFixed = tree !== null;
  const check = (root: Node): void =>
    walk(root, (node) => {
      if (node.type === 'reference') isFixed &&= isAbsolute(node);
      if (node.type === 'structured') isFixed &&= !node.items.includes('#This Row');
      if (node.type === 'call') isFixed &&= !/^(?:ROW|COLUMN|CELL|SINGLE)$/.test(node.name);
      if (node.type === 'unary') isFixed &&= node.operator !== '@';
    });
  if (tree) check(tree);
  if (tree?.type === 'name') {
    const named = scope.name(tree, sheet)?.tree;
    if (named) check(named);
  }
  return isFixed;
}

function isAbsolute({ shape, absolute }: ReferenceNode): boolean {
  const rows = Absolute.row1 | Absolute.row2;
  const cols = Absolute.col1 | Absolute.col2;
  const needed = shape === 'columns' ? cols : shape === 'rows' ? rows : shape === 'cell' ? FIRST_CORNER : rows | cols;
  return (absolute & needed) === needed;
}

const FIRST_CORNER = Absolute.row1 | Absolute.col1;

/** Returns null if the text is not a formula. */
export function parsePlaced({ text, sheet, base }: PlacedFormula, scope: Scope): Node | null {
  try {
    return nameTables(parseFormula(text.replace(/^=/, ''), base), sheet, base, scope);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** Caches: a formula that is evaluated for many cells is parsed and compiled once. */
const read = new WeakMap<PlacedFormula, { tree: Node | null }>();
const compiled = new WeakMap<Book, { byTree: Map<Node, ReadyFormula>; byText: Map<string, ReadyFormula> }>();

/**
 * Everything that the formula reads must be up to date. `changes` are the changes of tables since the file was loaded,
 * oldest first.
 */
export function evaluatePlaced(
  evaluator: Evaluator,
  formula: PlacedFormula,
  at: CellPosition,
  changes: readonly TableChange[],
): PlacedResult {
  const { scope } = evaluator.book;
  const { sheet } = formula;
  let written = read.get(formula);
  if (!written) read.set(formula, (written = { tree: parsePlaced(formula, scope) }));
  if (!written.tree) return { values: [NAME_ERROR], width: 1, range: null, namesBlankCell: false };
  const tree = changes.reduce((before, change) => followTable(before, sheet, at, change, scope), written.tree);
  const value = run(evaluator, readyOf(evaluator.book, tree, sheet, tree !== written.tree), sheet, at);
  return { ...resultOf(value, evaluator), namesBlankCell: namesBlankCell(evaluator, tree, sheet, at) };
}

/** `isRewritten` means that the tree is rebuilt for each cell, so it is cached by its text. */
function readyOf(book: Book, tree: Node, sheet: number, isRewritten: boolean): ReadyFormula {
  let known = compiled.get(book);
  if (!known) compiled.set(book, (known = { byTree: new Map(), byText: new Map() }));
  const key = isRewritten ? `${sheet} ${printRelative(tree)}` : '';
  let ready = isRewritten ? known.byText.get(key) : known.byTree.get(tree);
  if (!ready) {
    const code = compileFormula(tree, { scope: book.scope, sheet, mode: 'array', findFunction: book.findFunction });
    ready = { ...code, depth: depthOf(tree) };
    if (isRewritten) known.byText.set(key, ready);
    else known.byTree.set(tree, ready);
  }
  return ready;
}

function run(evaluator: Evaluator, { code, frameSize }: ReadyFormula, sheet: number, at: CellPosition): FormulaValue {
  const { sheet: outerSheet, row: outerRow, col: outerCol, frame, filled } = evaluator;
  evaluator.sheet = sheet;
  evaluator.row = at.row;
  evaluator.col = at.col;
  evaluator.filled = null;
  if (frameSize > 0) evaluator.frame = [];
  try {
    evaluator.spend(1);
    return code(evaluator);
  } finally {
    evaluator.stack.unwind(evaluator.store);
    evaluator.calls = 0;
    evaluator.frame = frame;
    evaluator.filled = filled;
    evaluator.sheet = outerSheet;
    evaluator.row = outerRow;
    evaluator.col = outerCol;
  }
}

function resultOf(value: FormulaValue, evaluator: Evaluator): Omit<PlacedResult, 'namesBlankCell'> {
  if (value instanceof Range) {
    const { sheet, block } = value;
    const bottom = Math.max(block.top, Math.min(block.bottom, evaluator.usedRows(sheet) - 1));
    const right = Math.max(block.left, Math.min(block.right, evaluator.usedCols(sheet) - 1));
    const values: CellValue[] = [];
    for (let row = block.top; row <= bottom; row += 1) {
      for (let col = block.left; col <= right; col += 1) values.push(evaluator.cell(sheet, row, col));
    }
    evaluator.spend(values.length);
    return { values, width: right - block.left + 1, range: { sheet, top: block.top, left: block.left, bottom, right } };
  }
  if (isLifted(value) && !(value instanceof Areas)) {
    const { cells, cols } = toArray(value, evaluator);
    return { values: cells, width: cols, range: null };
  }
  return { values: [evaluator.results.cellValue(value)], width: 1, range: null };
}

function namesBlankCell(evaluator: Evaluator, tree: Node, sheet: number, at: CellPosition): boolean {
  const { scope } = evaluator.book;
  let isBlank = false;
  const check = (node: ReferenceNode, own: number): void => {
    const sheets = node.shape === 'cell' ? scope.prefixSheets(node.prefix, own) : null;
    if (sheets?.length !== 1) return;
    const { top: row, left: col } = referenceBlock(node, at);
    if (sheets[0] === sheet && row === at.row && col === at.col) return;
    const value = evaluator.cell(sheets[0]!, row, col);
    isBlank ||= value === null;
  };
  walk(tree, (node) => {
    if (node.type === 'reference') check(node, sheet);
    if (node.type !== 'name' || node.variable) return;
    const named = scope.name(node, sheet)?.tree;
    if (named?.type === 'reference') check(named, sheet);
  });
  return isBlank;
}
