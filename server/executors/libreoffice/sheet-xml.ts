/**
 * Writes the cells of a sheet as an .xlsx file holds them. Formulas have no results, so that LibreOffice calculates
 * every one.
 */
import { Buffer } from 'node:buffer';
import { columnLetters, formatBlock } from '#shared/codecs/cell-address.ts';
import type { Scope } from '#server/calculation/graph/scope.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { FormulaModel, SheetCells, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { encodeExcelEscapes, escapeXml } from '#shared/codecs/xml-escapes.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { CellError, ERROR_CODES } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { Content, Overlay } from './overlay.ts';
import { withPlainReferences } from './plain-references.ts';

/** Number of cells joined into one string before encoding: a large sheet would exceed the maximum string length. */
const CHUNK = 50_000;

export function sheetXml(model: WorkbookModel, scope: Scope, overlay: Overlay, sheet: number): Buffer {
  return new SheetWriter(model, scope, overlay, sheet).write();
}

class SheetWriter {
  private readonly cells: SheetCells;
  private readonly strings: readonly string[];
  private readonly scope: Scope;
  private readonly overlay: Overlay;
  private readonly sheet: number;
  private readonly hidden: Set<number>;
  private readonly rowStyles: Map<number, number>;
  private readonly trees = new Map<FormulaModel, Node | null>();
  /** Formula records whose first cell has been written. */
  private readonly writtenFormulas = new Map<FormulaModel, number>();
  private readonly chunks: Buffer[] = [];
  private texts: string[] = ['<sheetData>'];
  private row = -1;

  constructor(model: WorkbookModel, scope: Scope, overlay: Overlay, sheet: number) {
    this.scope = scope;
    const { cells, hiddenRows, rowStyles } = model.sheets[sheet]!;
    this.cells = cells;
    this.strings = model.strings;
    this.overlay = overlay;
    this.sheet = sheet;
    this.hidden = new Set(hiddenRows);
    this.rowStyles = rowStyles;
  }

  write(): Buffer {
    const written = this.overlay.cells(this.sheet);
    let next = 0;
    for (let at = 0; at < this.cells.count; at += 1) {
      const row = this.cells.rows[at]!;
      const col = this.cells.cols[at]!;
      for (; next < written.length; next += 1) {
        const { row: own, col: ownCol, content } = written[next]!;
        if (own > row || (own === row && ownCol > col)) break;
        const isSame = own === row && ownCol === col;
        this.addContent(own, ownCol, isSame ? this.cells.styles[at]! : 0, content);
      }
      if (!this.overlay.has(this.sheet, row, col)) this.addStored(at, row, col);
      if (this.texts.length > CHUNK) this.flush();
    }
    for (const { row, col, content } of written.slice(next)) this.addContent(row, col, 0, content);
    this.endRow();
    this.texts.push('</sheetData>');
    this.flush();
    return Buffer.concat(this.chunks);
  }

  private flush(): void {
    this.chunks.push(Buffer.from(this.texts.join('')));
    this.texts = [];
  }

  private endRow(): void {
    if (this.row >= 0) this.texts.push('</row>');
  }

  private add(row: number, col: number, style: number, rest: string): void {
    if (row !== this.row) {
      this.endRow();
      this.row = row;
      const ownStyle = this.rowStyles.get(row);
      const styled = ownStyle === undefined ? '' : ` s="${ownStyle}" customFormat="1"`;
      this.texts.push(`<row r="${row + 1}"${styled}${this.hidden.has(row) ? ' hidden="1"' : ''}>`);
    }
    this.texts.push(`<c r="${columnLetters(col)}${row + 1}"${style === 0 ? '' : ` s="${style}"`}${rest}`);
  }

  private addStored(at: number, row: number, col: number): void {
    const { cells } = this;
    const formula = cells.formulas[at]!;
    const style = cells.styles[at]!;
    if (formula >= 0) {
      this.add(row, col, style, `>${this.formula(cells.formulaTable[formula]!, row, col)}</c>`);
      return;
    }
    const value = cells.values[at]!;
    switch (cells.kinds[at]) {
      case CellKind.Number:
        this.add(row, col, style, `><v>${value}</v></c>`);
        break;
      case CellKind.Text:
        this.add(row, col, style, this.strings[value] === '' ? EMPTY_TEXT : ` t="s"><v>${value}</v></c>`);
        break;
      case CellKind.Boolean:
        this.add(row, col, style, ` t="b"><v>${value}</v></c>`);
        break;
      case CellKind.Error:
        this.add(row, col, style, ` t="e"><v>${ERROR_CODES[value] ?? '#VALUE!'}</v></c>`);
        break;
      default:
        if (style !== 0) this.add(row, col, style, '/>');
    }
  }

  private addContent(row: number, col: number, style: number, content: Content): void {
    if ('value' in content) this.add(row, col, style, constant(content.value));
    else {
      const { tree, kind, block } = content.formula;
      const text = tree ? escapeXml(this.print(tree, row, col)) : '#NAME?';
      const isArray = (kind === 'array' || kind === 'dynamicArray') && block;
      this.add(row, col, style, `><f${isArray ? ` t="array" ref="${formatBlock(block)}"` : ''}>${text}</f></c>`);
    }
  }

  private formula(record: FormulaModel, row: number, col: number): string {
    const { kind, text, cell, block } = record;
    const isOwn = cell.row === row && cell.col === col;
    if (kind === 'array' || kind === 'dynamicArray') {
      // The other cells of an array formula have no text.
      if (!isOwn) return '';
      return `<f t="array" ref="${block ? formatBlock(block) : `${columnLetters(col)}${row + 1}`}">${escapeXml(this.textAt(record, row, col))}</f>`;
    }
    if (kind !== 'shared' || !block || text.includes('[')) return `<f>${escapeXml(this.textAt(record, row, col))}</f>`;
    const number = this.writtenFormulas.get(record);
    if (number !== undefined) return `<f t="shared" si="${number}"/>`;
    if (!isOwn || this.overlay.has(this.sheet, cell.row, cell.col))
      return `<f>${escapeXml(this.textAt(record, row, col))}</f>`;
    this.writtenFormulas.set(record, this.writtenFormulas.size);
    return `<f t="shared" ref="${formatBlock(block)}" si="${this.writtenFormulas.size - 1}">${escapeXml(text)}</f>`;
  }

  /** Returns the text of a shared formula as the cell at this position would contain it. */
  private textAt(record: FormulaModel, row: number, col: number): string {
    const isOwn = record.cell.row === row && record.cell.col === col;
    if (isOwn && !record.text.includes('[')) return record.text;
    let tree = this.trees.get(record);
    if (tree === undefined) this.trees.set(record, (tree = parsed(record)));
    return tree ? this.print(tree, row, col) : record.text;
  }

  private print(tree: Node, row: number, col: number): string {
    const at = { row, col };
    return printFormula(withPlainReferences(tree, this.scope, this.sheet, at), at);
  }
}

function parsed({ text, cell }: FormulaModel): Node | null {
  try {
    return parseFormula(text, cell);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** LibreOffice treats an empty text constant as an empty cell, so it is written as a formula. */
const EMPTY_TEXT = '><f>""</f></c>';

function constant(value: CellValue): string {
  if (value === null) return '/>';
  if (value === '') return EMPTY_TEXT;
  if (typeof value === 'number') return `><v>${value}</v></c>`;
  if (typeof value === 'boolean') return ` t="b"><v>${value ? 1 : 0}</v></c>`;
  if (value instanceof CellError) return ` t="e"><v>${value.code}</v></c>`;
  return ` t="inlineStr"><is><t xml:space="preserve">${escapeXml(encodeExcelEscapes(value))}</t></is></c>`;
}
