/**
 * Infers the type of value that a formula or part of a formula returns, from its functions and the cells it reads,
 * without calculating it.
 */
import { cellsIn } from '../reader/cell-index.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';
import { coveredBlock, readsOf } from '../graph/reads.ts';
import type { Read } from '../graph/reads.ts';
import type { Scope } from '../graph/scope.ts';
import type { ArrayItem, BinaryNode, CallNode, Node } from '../syntax/ast.ts';
import { isReferenceOperator } from '../syntax/traverse.ts';
import { columnOfRead } from './read-parts.ts';
import type { CellTypes, FormulaPosition, ValueKind } from './value-kind.ts';
import { expectedTypeOf } from './expected-types.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Functions that Excel shows as dates in cells without a format, and other functions that return a date. */
const DATES = words('TODAY NOW DATE TIME EDATE EOMONTH WORKDAY WORKDAY.INTL DATEVALUE TIMEVALUE COUPNCD COUPPCD');
const BOOLEANS = words(
  'AND OR NOT XOR TRUE FALSE EXACT ISBLANK ISERR ISERROR ISEVEN ISFORMULA ISLOGICAL ISNA ISNONTEXT ISNUMBER ISODD ISREF ISTEXT REGEXTEST',
);
const TEXTS = words(
  'LEFT RIGHT MID LEFTB RIGHTB MIDB REPT SUBSTITUTE REPLACE REPLACEB UPPER LOWER PROPER TRIM CLEAN CONCATENATE CONCAT TEXTJOIN TEXT T CHAR ' +
    'UNICHAR FIXED DOLLAR BAHTTEXT ROMAN ADDRESS FORMULATEXT HYPERLINK TEXTBEFORE TEXTAFTER TEXTSPLIT REGEXEXTRACT REGEXREPLACE ENCODEURL ' +
    'BASE DEC2BIN DEC2HEX DEC2OCT _LONGTEXT',
);
const COUNTS = words(
  'COUNTA COUNTBLANK COUNTIF COUNTIFS SUMIF SUMIFS AVERAGEIF AVERAGEIFS ROW ROWS COLUMN COLUMNS LEN LENB FIND SEARCH MATCH XMATCH VALUE ' +
    'NUMBERVALUE CODE UNICODE PI RAND SUBTOTAL AGGREGATE DSUM DCOUNT DCOUNTA DAVERAGE YEAR MONTH DAY WEEKDAY WEEKNUM ISOWEEKNUM HOUR MINUTE ' +
    'SECOND DAYS DAYS360 DATEDIF YEARFRAC NETWORKDAYS NETWORKDAYS.INTL XNPV XIRR CONVERT',
);
/** Functions that return one of the values they read. */
const CHOSEN = words('MAX MIN MAXA MINA LARGE SMALL MEDIAN MODE MODE.SNGL');

/** Maximum nesting depth, including the names and cells followed; deeper formulas give no evidence. */
const MAX_DEPTH = 40;
/** Maximum number of cells examined in a block. */
const MAX_CELLS = 200;

export class ResultTypes {
  private readonly model: WorkbookModel;
  private readonly scope: Scope;
  private readonly cells: CellTypes;
  /** The type that a number format shows. */
  readonly shownBy: (code: string) => ValueKind | null;
  private readonly blocks = new Map<string, ValueKind | null>();

  constructor(model: WorkbookModel, scope: Scope, cells: CellTypes, shownBy: (code: string) => ValueKind | null) {
    this.model = model;
    this.scope = scope;
    this.cells = cells;
    this.shownBy = shownBy;
  }

  /** Returns the type that the number format of a formula's cell shows. */
  formatAt({ sheet, row, col }: FormulaPosition): ValueKind | null {
    return this.cells.ofFormat(sheet, row, col);
  }

  /** Returns null if there is no evidence. */
  of(node: Node, at: FormulaPosition, steps = 0): ValueKind | null {
    if (steps > MAX_DEPTH) return null;
    const next = (inner: Node | undefined): ValueKind | null => (inner ? this.of(inner, at, steps + 1) : null);
    switch (node.type) {
      case 'number':
        return 'Number';
      case 'text':
        return node.value === '' ? null : 'Text';
      case 'boolean':
        return 'Boolean';
      case 'unary':
        return node.operator === '-' ? 'Number' : next(node.operand);
      case 'postfix':
        return node.operator === '%' ? 'Number' : next(node.operand);
      case 'binary':
        return isReferenceOperator(node) ? this.ofReference(node, at) : this.ofBinary(node, at, steps);
      case 'reference':
      case 'structured':
        return this.ofReference(node, at);
      case 'name': {
        const tree = this.scope.name(node, at.sheet)?.tree;
        return tree ? next(tree) : null;
      }
      case 'call':
        return this.ofCall(node, next, at);
      case 'array':
        return kindOfItems(node.rows.flat());
      default:
        return null;
    }
  }

  /** Returns the most frequent type among the cells that a read covers at this position. */
  ofRead(read: Read, { row, col }: FormulaPosition): ValueKind | null {
    const sheet = this.model.sheets[read.sheet];
    if (!sheet) return null;
    const block = coveredBlock(read, { top: row, bottom: row, left: col, right: col });
    const key = `${read.sheet}:${block.top}:${block.left}:${block.bottom}:${block.right}`;
    const known = this.blocks.get(key);
    if (known !== undefined) return known;
    const counts = new Map<ValueKind, number>();
    let left = MAX_CELLS;
    for (const at of cellsIn(sheet.cells, block)) {
      if (left-- <= 0) break;
      const kind = this.cells.ofCell(read.sheet, sheet.cells.rows[at]!, sheet.cells.cols[at]!);
      if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    const [mostFrequent] = [...counts].sort((a, b) => b[1] - a[1]);
    const kind = mostFrequent?.[0] ?? null;
    this.blocks.set(key, kind);
    return kind;
  }

  private ofReference(node: Node, at: FormulaPosition): ValueKind | null {
    const [read] = readsOf(node, at.sheet, this.scope).reads;
    return read ? this.ofRead(read, at) : null;
  }

  private ofBinary({ operator, left, right }: BinaryNode, at: FormulaPosition, steps: number): ValueKind | null {
    if (operator === '&') return 'Text';
    if (['=', '<>', '<', '>', '<=', '>='].includes(operator)) return 'Boolean';
    if (operator !== '+' && operator !== '-') return 'Number';
    const [first, second] = [left, right].map((side) => this.of(side, at, steps + 1) === 'Date');
    // A date plus or minus days is a date; a date minus a date is a number of days.
    return first !== second && (first || operator === '+') ? 'Date' : 'Number';
  }

  private ofCall(
    { name, args }: CallNode,
    next: (node?: Node) => ValueKind | null,
    at: FormulaPosition,
  ): ValueKind | null {
    if (DATES.has(name)) return 'Date';
    if (BOOLEANS.has(name)) return 'Boolean';
    if (TEXTS.has(name)) return 'Text';
    if (COUNTS.has(name)) return 'Number';
    if (CHOSEN.has(name)) return next(args[0]) === 'Date' ? 'Date' : 'Number';
    if (name === 'VLOOKUP') return this.ofLookup(args, at);
    if (name === 'XLOOKUP' || name === 'LOOKUP') return next(args[2] ?? args[1]);
    if (name === 'LET') return null;
    if (name === 'SWITCH' || name === 'IFS') {
      const first = name === 'IFS' ? 1 : 2;
      return firstOf(args.filter((_, index) => index >= first && (index - first) % 2 === 0).map(next));
    }
    const passed = args.filter((_, index) => expectedTypeOf(name, index) === 'inherit');
    if (passed.length > 0) return firstOf(passed.map(next));
    const expected = expectedTypeOf(name, 0);
    return expected !== null && expected !== 'inherit' && expected.kind === 'Number' && !expected.isWeak
      ? 'Number'
      : null;
  }

  private ofLookup(args: readonly Node[], at: FormulaPosition): ValueKind | null {
    const [, table, column] = args;
    if (!table || column?.type !== 'number') return null;
    const [read] = readsOf(table, at.sheet, this.scope).reads;
    return read ? this.ofRead(columnOfRead(read, column.value - 1), at) : null;
  }
}

/** Returns the most frequent type among the items of an array constant. */
function kindOfItems(items: readonly ArrayItem[]): ValueKind | null {
  const counts = new Map<ValueKind, number>();
  for (const item of items) {
    const kind = KIND_OF_ITEM[typeof item];
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const [mostFrequent] = [...counts].sort((a, b) => b[1] - a[1]);
  return mostFrequent?.[0] ?? null;
}

const KIND_OF_ITEM: Partial<Record<string, ValueKind>> = { number: 'Number', string: 'Text', boolean: 'Boolean' };

const firstOf = (types: readonly (ValueKind | null)[]): ValueKind | null => types.find((kind) => kind !== null) ?? null;
