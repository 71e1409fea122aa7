/**
 * Resolves the formula of a chart or of a pivot table's source to cells: plain references, lists of them, tables and
 * names.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { isOtherBook, Scope } from '#server/calculation/graph/scope.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { referenceBlock } from '#server/calculation/syntax/areas.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import { followTree } from '../grown-references.ts';
import type { ResizedTable } from '../grown-references.ts';

/** Maximum depth of names that refer to other names. */
const DEEPEST = 16;
/** Such formulas are not in a cell. Reading them at A1 changes no reference. */
export const NO_CELL = { row: 0, col: 0 };

/**
 * The areas of a formula in order. Empty if it refers to another workbook or to nothing; null if only a calculation
 * could resolve it.
 */
export type Areas = SheetBlock[] | null;

export class ReferenceAreas {
  private readonly model: WorkbookModel;
  private readonly resized: readonly ResizedTable[];
  /** Resolves names with the current sizes of the tables. */
  private readonly scope: Scope;

  constructor(model: WorkbookModel, resized: readonly ResizedTable[]) {
    this.model = model;
    this.resized = resized;
    const bottoms = new Map(resized.map(({ table, newBottom }) => [table.name, newBottom]));
    const tables = model.tables.map((table) => {
      const bottom = bottoms.get(table.name);
      return bottom === undefined ? table : { ...table, block: { ...table.block, bottom } };
    });
    this.scope = new Scope(model, tables);
  }

  /** Returns the tree with its references following the resized tables. */
  follow(tree: Node, sheet: number | null = null): Node {
    return this.resized.length === 0 ? tree : followTree(tree, NO_CELL, sheet, this.model, this.resized);
  }

  /** Resolves a tree whose references were already updated. References without a sheet refer to `sheet`. */
  of(tree: Node, sheet: number | null = null, depth = 0): Areas {
    switch (tree.type) {
      case 'reference':
        return this.cells(this.sheetOf(tree.prefix, sheet), referenceBlock(tree, NO_CELL));
      case 'binary':
        return tree.operator === ',' ? this.union(tree.left, tree.right, sheet, depth) : null;
      case 'name':
        return this.name(tree, sheet, depth);
      case 'structured': {
        const found = this.scope.structured(tree, sheet ?? 0, NO_CELL);
        return typeof found === 'string' ? [] : [found];
      }
      case 'error':
        return [];
      default:
        return null;
    }
  }

  private union(left: Node, right: Node, sheet: number | null, depth: number): Areas {
    const first = this.of(left, sheet, depth);
    const second = this.of(right, sheet, depth);
    return first && second && [...first, ...second];
  }

  private name(tree: Extract<Node, { type: 'name' }>, sheet: number | null, depth: number): Areas {
    if (isOtherBook(tree.prefix)) return [];
    const own = tree.prefix?.first == null ? sheet : this.scope.sheetIndex(tree.prefix.first);
    const named = this.scope.nameCalled(tree.name, own);
    if (!named) return [];
    if (!named.tree || depth >= DEEPEST) return null;
    return this.of(this.follow(named.tree, own), own, depth + 1);
  }

  private sheetOf(prefix: Extract<Node, { type: 'reference' }>['prefix'], sheet: number | null): number | null {
    if (prefix === null) return sheet;
    if (isOtherBook(prefix) || prefix.first === null || prefix.last !== null) return null;
    return this.scope.sheetIndex(prefix.first);
  }

  private cells(sheet: number | null, block: CellBlock): SheetBlock[] {
    return sheet === null ? [] : [{ sheet, block }];
  }
}

/** Returns null if the text is not a formula. */
export function parseReference(text: string): Node | null {
  try {
    return parseFormula(text, NO_CELL);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}
