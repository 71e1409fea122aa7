/**
 * Rewrites a formula for IronCalc, which is fed cell by cell: names and tables become references, unions and 3-D
 * references become arguments, and intersections become the common cells. Throws Untranslatable if a part cannot be
 * rewritten.
 */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { AGGREGATES } from './argument-kinds.ts';
import { isOtherBook } from '#server/calculation/graph/scope.ts';
import type { Scope } from '#server/calculation/graph/scope.ts';
import {
  blockReference,
  intersectBlocks,
  moveReference,
  referenceBlock,
  sheetPrefix,
} from '#server/calculation/syntax/areas.ts';
import type {
  BinaryNode,
  CallNode,
  Node,
  ReferenceNode,
  SheetPrefix,
  StructuredNode,
} from '#server/calculation/syntax/ast.ts';
import { Absolute } from '#server/calculation/syntax/ast.ts';
import { indexAsOffset } from './index-corner.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import { isReferenceOperator, mapChildren } from '#server/calculation/syntax/traverse.ts';
import type { ErrorCode } from '#server/calculation/values/cell-value.ts';

export interface TranslationContext {
  scope: Scope;
  sheet: number;
  at: CellPosition;
  date1904: boolean;
  isFunction: (name: string) => boolean;
}

/**
 * `construct` describes what the engine lacks, in words for the workbook's author. `code` is the error that the cell
 * shows instead.
 */
export class Untranslatable extends Error {
  readonly construct: string;
  readonly code: ErrorCode;
  constructor(construct: string, code: ErrorCode) {
    super(`${construct} cannot be calculated`);
    this.name = 'Untranslatable';
    this.construct = construct;
    this.code = code;
  }
}

export const EXTERNAL_LINK = 'external link';
/** Limits for names that refer to formulas with further names. A larger expansion is treated as hostile. */
const MAX_NODES = 20_000;
const MAX_NAMES = 32;
const KNOWN_ERRORS = new Set<string>([
  '#NULL!',
  '#DIV/0!',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#NUM!',
  '#N/A',
  '#SPILL!',
  '#CALC!',
]);
/** Functions that read or return serial dates: IronCalc supports only dates from 1900. */
const DATE_FUNCTIONS = new Set(
  (
    'DATE DATEVALUE DAY MONTH YEAR WEEKDAY WEEKNUM ISOWEEKNUM EDATE EOMONTH WORKDAY WORKDAY.INTL NETWORKDAYS ' +
    'NETWORKDAYS.INTL TODAY NOW TEXT YEARFRAC DATEDIF DAYS360'
  ).split(' '),
);

export function translate(tree: Node, context: TranslationContext): Node {
  return new Translation(context).node(tree);
}

class Translation {
  private readonly context: TranslationContext;
  private nodes = 0;
  private names = 0;

  constructor(context: TranslationContext) {
    this.context = context;
  }

  node = (node: Node): Node => {
    this.nodes += 1;
    if (this.nodes > MAX_NODES)
      throw new Untranslatable('A formula that grows beyond bounds through its names', '#NAME?');
    switch (node.type) {
      case 'reference':
        return this.reference(node);
      case 'name':
        return this.name(node);
      case 'structured':
        return this.structured(node);
      case 'call':
        return this.call(node);
      case 'error':
        return KNOWN_ERRORS.has(node.code) ? node : { type: 'error', code: '#N/A' };
      case 'unary':
        return node.operator === '+' ? this.node(node.operand) : mapChildren(node, this.node);
      case 'binary':
        return isReferenceOperator(node) ? this.join(node) : mapChildren(node, this.node);
      default:
        return mapChildren(node, this.node);
    }
  };

  private reference(node: ReferenceNode): Node {
    const sheets = this.sheets(node.prefix);
    if (sheets.length === 0) return { type: 'error', code: '#REF!' };
    if (sheets.length > 1) throw new Untranslatable('3-D reference outside of a sum', '#REF!');
    return { ...node, prefix: this.prefix(node.prefix, sheets[0]!) };
  }

  /** Returns the sheets of a prefix, or an empty array if one is missing. */
  private sheets(prefix: SheetPrefix | null): number[] {
    if (isOtherBook(prefix)) throw new Untranslatable(EXTERNAL_LINK, '#REF!');
    return this.context.scope.prefixSheets(prefix, this.context.sheet) ?? [];
  }

  /** Returns the prefix in the sheet's own spelling, because IronCalc compares sheet names case-sensitively. */
  private prefix(prefix: SheetPrefix | null, sheet: number): SheetPrefix | null {
    return prefix === null || sheet === this.context.sheet ? null : sheetPrefix(this.context.scope.sheetNames[sheet]!);
  }

  private name(node: Extract<Node, { type: 'name' }>): Node {
    if (node.variable) return node;
    if (isOtherBook(node.prefix)) throw new Untranslatable(EXTERNAL_LINK, '#REF!');
    const meaning = this.context.scope.name(node, this.context.sheet);
    if (!meaning?.tree) return { type: 'error', code: '#NAME?' };
    if (this.names >= MAX_NAMES) throw new Untranslatable('A name that is defined by itself', '#NAME?');
    this.names += 1;
    const result = this.node(meaning.tree);
    this.names -= 1;
    return result;
  }

  private structured(node: StructuredNode): Node {
    if (isOtherBook(node.prefix)) throw new Untranslatable(EXTERNAL_LINK, '#REF!');
    const { scope, sheet, at } = this.context;
    const area = scope.structured(node, sheet, at);
    if (typeof area === 'string') return { type: 'error', code: area };
    const fixed = blockReference(area.block, this.prefix(sheetPrefix(''), area.sheet));
    if (!node.items.includes('#This Row')) return fixed;
    // A relative row gives all rows of the column the same formula.
    const columns = Absolute.col1 | Absolute.col2;
    return moveReference({ ...fixed, absolute: columns }, area.block, at);
  }

  private call(node: CallNode): Node {
    const { scope, sheet, isFunction, date1904 } = this.context;
    if (date1904 && DATE_FUNCTIONS.has(node.name)) throw new Untranslatable('1904 date system', '#VALUE!');
    if (node.filePrefix === '' && !isFunction(node.name) && scope.nameCalled(node.name, sheet)?.tree) {
      const callee = this.name({ type: 'name', prefix: null, name: node.name, variable: false });
      return { type: 'invoke', callee, args: node.args.map(this.node) };
    }
    if (node.name === 'HYPERLINK' && !isFunction(node.name) && node.args.length > 0) {
      // The value of HYPERLINK is the text that it shows.
      return this.node(node.args[1] ?? node.args[0]!);
    }
    if (node.name === 'INDIRECT') return this.indirect(node);
    if (!AGGREGATES.has(node.name)) return mapChildren(node, this.node);
    return { ...node, args: node.args.flatMap((arg) => this.splitReferences(arg)) };
  }

  /** IronCalc's INDIRECT knows cells, but not names and tables. Those are resolved here if the text is a constant. */
  private indirect(node: CallNode): Node {
    const [text, style] = node.args;
    if (text?.type === 'text' && (!style || (style.type === 'boolean' && style.value))) {
      try {
        const tree = parseFormula(text.value, this.context.at);
        if (tree.type === 'name' || tree.type === 'structured') return this.node(tree);
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
      }
    }
    const isPlain = style?.type === 'boolean' && style.value;
    return mapChildren(isPlain ? { ...node, args: node.args.slice(0, 1) } : node, this.node);
  }

  /** Splits an argument of an aggregate into single references. */
  private splitReferences(node: Node): Node[] {
    if (node.type === 'binary' && node.operator === ',')
      return [...this.splitReferences(node.left), ...this.splitReferences(node.right)];
    if (node.type === 'reference') {
      const sheets = this.sheets(node.prefix);
      if (sheets.length > 1) return sheets.map((sheet) => ({ ...node, prefix: this.prefix(node.prefix, sheet) }));
    }
    if (node.type === 'name' && !node.variable && !isOtherBook(node.prefix)) {
      const tree = this.context.scope.name(node, this.context.sheet)?.tree;
      if (tree?.type === 'binary' && tree.operator === ',') return this.splitReferences(tree);
    }
    return [this.node(node)];
  }

  private join(node: BinaryNode): Node {
    if (node.operator === ',') throw new Untranslatable('A union of references outside of a sum', '#VALUE!');
    const left = this.node(node.left);
    const right = this.node(node.right);
    if (left.type === 'error') return left;
    if (right.type === 'error') return right;
    if (left.type !== 'reference' || right.type !== 'reference') {
      if (node.operator === ':') {
        const { at } = this.context;
        return { ...node, left: indexAsOffset(left, at), right: indexAsOffset(right, at) };
      }
      throw new Untranslatable('An intersection of computed references', '#VALUE!');
    }
    const { at } = this.context;
    const a = referenceBlock(left, at);
    const b = referenceBlock(right, at);
    if (node.operator === ' ') {
      const shared = intersectBlocks(a, b);
      return shared ? blockReference(shared, left.prefix) : { type: 'error', code: '#NULL!' };
    }
    const around = {
      top: Math.min(a.top, b.top),
      left: Math.min(a.left, b.left),
      bottom: Math.max(a.bottom, b.bottom),
      right: Math.max(a.right, b.right),
    };
    return blockReference(around, left.prefix);
  }
}
