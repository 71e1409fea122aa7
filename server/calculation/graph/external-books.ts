/**
 * Provides the saved values of linked workbooks. Their sheets come after the workbook's own, where only formulas with a
 * link can name them.
 */
import type { ExternalBook, SheetModel, WorkbookModel } from '../reader/workbook-model.ts';
import type { NameNode, Node, SheetPrefix } from '../syntax/ast.ts';
import { parseFormula } from '../syntax/parser.ts';
import { ParseError } from '../syntax/parse-error.ts';
import { mapChildren } from '../syntax/traverse.ts';

interface LinkedBook {
  book: ExternalBook;
  /** Index of its first sheet. */
  first: number;
}

export class ExternalBooks {
  private readonly linkedBooks: LinkedBook[];

  constructor({ sheets, externalBooks = [] }: Pick<WorkbookModel, 'sheets' | 'externalBooks'>) {
    let first = sheets.length;
    this.linkedBooks = externalBooks.map((book) => {
      const linked = { book, first };
      first += book.sheets.length;
      return linked;
    });
  }

  /**
   * Returns the sheets that a prefix with a book refers to, in tab order; null if the file does not contain the values
   * of all of them.
   */
  sheets({ book, first, last }: SheetPrefix): number[] | null {
    const linked = this.findLinked(book);
    if (!linked || first === null) return null;
    const from = sheetIndex(linked.book, first);
    const to = last === null ? from : sheetIndex(linked.book, last);
    if (from < 0 || to < 0) return null;
    const low = Math.min(from, to);
    const high = Math.max(from, to);
    const isCached = linked.book.sheets.slice(low, high + 1).every(({ cells }) => cells !== null);
    return isCached ? Array.from({ length: high - low + 1 }, (_, index) => linked.first + low + index) : null;
  }

  /** Returns a name of a linked book. A sheet-level name takes precedence over one of the book. */
  name({ name, prefix }: NameNode): { tree: Node | null; text: string } | null {
    const linked = this.findLinked(prefix!.book);
    if (!linked) return null;
    const sheet = prefix!.first === null ? null : sheetIndex(linked.book, prefix!.first);
    const key = name.toLowerCase();
    const named = linked.book.names.filter((candidate) => candidate.name.toLowerCase() === key);
    const found = named.find((candidate) => candidate.sheet === sheet) ?? named.find((one) => one.sheet === null);
    return found ? { tree: treeOf(found.text, prefix!.book!), text: found.text } : null;
  }

  /** Returns the link's target for display, or the number that formulas use for it. */
  target(book: string): string {
    return this.findLinked(book)?.book.target || `[${book}]`;
  }

  /** Excel's files number their links from 1; files of other programs may contain the file names. */
  private findLinked(book: string | null): LinkedBook | undefined {
    if (book === null) return undefined;
    if (/^\d{1,9}$/.test(book)) return this.linkedBooks[Number(book) - 1];
    const file = fileName(book);
    return this.linkedBooks.find((linked) => fileName(linked.book.target) === file);
  }
}

function sheetIndex({ sheets }: ExternalBook, name: string): number {
  const key = name.toLowerCase();
  return sheets.findIndex((sheet) => sheet.name.toLowerCase() === key);
}

function fileName(path: string): string {
  const last = /[^\\/]*$/.exec(path)![0].toLowerCase();
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Returns the formula of a linked name, with its references pointing into the linked book. */
function treeOf(text: string, book: string): Node | null {
  const linked = (node: Node): Node => {
    if (
      (node.type === 'reference' || node.type === 'name' || node.type === 'structured') &&
      node.prefix?.book == null
    ) {
      return { ...node, prefix: { book, first: node.prefix?.first ?? null, last: node.prefix?.last ?? null } };
    }
    return mapChildren(node, linked);
  };
  try {
    const tree = linked(parseFormula(text.replace(/^=/, ''), { row: 0, col: 0 }));
    // Excel writes this for a name that is not a reference.
    return tree.type === 'error' ? null : tree;
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** Returns the workbook with the sheets of its linked books after its own. */
export function withLinkedSheets(model: WorkbookModel): WorkbookModel {
  const linked = (model.externalBooks ?? []).flatMap(({ sheets }) => sheets);
  if (linked.length === 0) return model;
  return { ...model, sheets: [...model.sheets, ...linked.map(({ name, cells }) => linkedSheet(name, cells))] };
}

function linkedSheet(name: string, cells: SheetModel['cells'] | null): SheetModel {
  return {
    name,
    part: '',
    visibility: 'veryHidden',
    cells: cells ?? NO_CELLS,
    merges: [],
    validations: [],
    notes: [],
    hiddenRows: new Uint32Array(),
    hiddenColumns: [],
    columnStyles: [],
    rowStyles: new Map(),
  };
}

const NO_CELLS: SheetModel['cells'] = {
  count: 0,
  rows: new Uint32Array(),
  cols: new Uint16Array(),
  kinds: new Uint8Array(),
  values: new Float64Array(),
  styles: new Uint32Array(),
  formulas: new Int32Array(),
  formulaTable: [],
};
