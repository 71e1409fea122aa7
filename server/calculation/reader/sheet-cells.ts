/** Reads <sheetData>: rows, cells, values and formulas of one sheet. */
import { formatCell, MAX_COLS, MAX_ROWS, parseBlock } from '#shared/codecs/cell-address.ts';
import { cellError, ERROR_CODES } from '../values/cell-value.ts';
import type { CellMetadata } from './cell-metadata.ts';
import { CellStore } from './cell-store.ts';
import { cellBlock, dataTableText, FilledFormulas } from './filled-formulas.ts';
import { isoToSerial } from './iso-date.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { checkFormulaLength, readRichText } from './rich-text.ts';
import type { StringTable } from './rich-text.ts';
import { damaged, SAVE_AGAIN, WorkbookFileError } from './workbook-file-error.ts';
import { CellKind } from './workbook-model.ts';
import type { FormulaModel } from './workbook-model.ts';
import { parseInteger, parseNumber } from './xml-number.ts';
import { XmlToken } from './xml-scanner.ts';
import type { XmlScanner } from './xml-scanner.ts';
import { decodeExcelEscapes } from './xml-text.ts';

/** State shared by all sheets of a workbook while it is read. */
export interface ReadingContext {
  limits: ReaderLimits;
  strings: StringTable;
  styleCount: number;
  date1904: boolean;
  metadata: CellMetadata;
  cellsLeft: number;
  formulaCharsLeft: number;
}

const ERROR_INDEX = new Map<string, number>(ERROR_CODES.map((code, index) => [code, index]));

export class SheetCellsReader {
  readonly store = new CellStore();
  readonly hiddenRows: number[] = [];
  readonly rowStyles = new Map<number, number>();
  private readonly xml: XmlScanner;
  private readonly sheet: string;
  private readonly context: ReadingContext;
  /** Formula records of shared formulas by their number, and cells that were read before their master. */
  private readonly shared = new Map<number, number>();
  private readonly filled = new FilledFormulas();
  private readonly orphans: { cell: number; shared: number }[] = [];

  private row = -1;
  private col = -1;
  private style = 0;
  private type = '';
  private cellMetadata = 0;
  private valueMetadata = 0;
  private kind = 0;
  private value = 0;
  private formula = -1;
  private orphanOf = -1;

  constructor(xml: XmlScanner, sheet: string, context: ReadingContext) {
    this.xml = xml;
    this.sheet = sheet;
    this.context = context;
  }

  /** Call at the Open of <sheetData>. Moves to its Close. */
  read(): void {
    const { xml } = this;
    const depth = xml.depth;
    this.row = -1;
    for (;;) {
      const token = xml.next();
      if (token === XmlToken.Close) {
        if (xml.depth === depth) break;
      } else if (token === XmlToken.Open) {
        if (xml.name === 'c') this.readCell();
        else if (xml.name === 'row') this.startRow();
      }
    }
    this.resolveOrphans();
  }

  private startRow(): void {
    const { xml } = this;
    this.col = -1;
    this.row++;
    let style = -1;
    let custom = false;
    for (let index = 0; index < xml.attributeCount; index++) {
      const name = xml.attributeName(index);
      if (name === 'r') this.row = this.attributeInteger(index) - 1;
      else if (name === 's') style = this.attributeInteger(index);
      else if (name === 'customFormat') custom = xml.flag('customFormat');
      else if (name === 'hidden' && xml.flag('hidden')) this.hiddenRows.push(this.row);
    }
    if (this.row < 0 || this.row >= MAX_ROWS) throw this.beyond(`row ${this.row + 1}`);
    if (custom && style >= 0) this.rowStyles.set(this.row, this.knownStyle(style));
  }

  private readCell(): void {
    const { xml } = this;
    this.startCell();
    const depth = xml.depth;
    for (;;) {
      const token = xml.next();
      if (token === XmlToken.Close && xml.depth === depth) break;
      if (token !== XmlToken.Open) continue;
      if (xml.name === 'v') this.readValue();
      else if (xml.name === 'f') this.readFormula();
      else if (xml.name === 'is') this.setText(readRichText(xml));
      else xml.skip();
    }
    if (this.context.cellsLeft-- <= 0) {
      throw new WorkbookFileError(
        'tooManyCells',
        `The workbook has more than ${this.context.limits.cells.toLocaleString('en')} cells with content or formats. ` +
          'Delete empty formatted rows and columns, or split the workbook.',
      );
    }
    if (this.orphanOf >= 0) this.orphans.push({ cell: this.store.count, shared: this.orphanOf });
    this.store.add(this.row, this.col, this.kind, this.value, this.style, this.formula);
  }

  private startCell(): void {
    const { xml } = this;
    this.col++;
    this.style = 0;
    this.type = '';
    this.cellMetadata = 0;
    this.valueMetadata = 0;
    this.kind = CellKind.Blank;
    this.value = 0;
    this.formula = -1;
    this.orphanOf = -1;
    for (let index = 0; index < xml.attributeCount; index++) {
      const name = xml.attributeName(index);
      if (name === 'r') this.readReference(xml.valueStarts[index]!, xml.valueEnds[index]!);
      else if (name === 's') this.style = this.knownStyle(this.attributeInteger(index));
      else if (name === 't') this.type = this.cellType(index);
      else if (name === 'cm') this.cellMetadata = this.attributeInteger(index);
      else if (name === 'vm') this.valueMetadata = this.attributeInteger(index);
    }
    if (this.col >= MAX_COLS || this.row >= MAX_ROWS || this.row < 0) throw this.beyond(`cell ${this.address()}`);
  }

  private cellType(index: number): string {
    const { xml } = this;
    const start = xml.valueStarts[index]!;
    const length = xml.valueEnds[index]! - start;
    const byte = xml.bytes[start];
    if (length === 1 && byte === 0x73) return 's';
    if (length === 1 && byte === 0x6e) return 'n';
    if (length === 3 && byte === 0x73 && xml.bytes[start + 1] === 0x74 && xml.bytes[start + 2] === 0x72) return 'str';
    return xml.attributeValue(index);
  }

  /** Parses an address such as 'B7' from its bytes into `row` and `col`. */
  private readReference(start: number, end: number): void {
    const { bytes } = this.xml;
    let col = 0;
    let row = 0;
    let at = start;
    for (; at < end; at++) {
      const letter = bytes[at]! & 0xdf;
      if (letter < 0x41 || letter > 0x5a) break;
      col = col * 26 + letter - 64;
    }
    const digits = at;
    for (; at < end; at++) {
      const digit = bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) break;
      row = row * 10 + digit;
    }
    if (at !== end || digits === start || digits === end || digits - start > 7 || end - digits > 10) {
      throw this.xml.damaged(`'${(this.xml.attribute('r') ?? '').slice(0, 40)}' is not a valid cell address`);
    }
    this.row = row - 1;
    this.col = col - 1;
  }

  private attributeInteger(index: number): number {
    const { xml } = this;
    const start = xml.valueStarts[index]!;
    const end = xml.valueEnds[index]!;
    const value = start === end ? 0 : parseInteger(xml.bytes, start, end);
    if (value >= 0) return value;
    throw xml.damaged(`the attribute '${xml.attributeName(index)}' is not a whole number`);
  }

  /** Excel shows cells whose style does not exist without a format. */
  private knownStyle(style: number): number {
    return style < this.context.styleCount ? style : 0;
  }

  private readValue(): void {
    const { xml, type } = this;
    if (type === '' || type === 'n' || type === 's') {
      xml.readLeaf();
      const plain = xml.leafText === null;
      if (plain && xml.leafStart === xml.leafEnd) return;
      if (type === 's')
        this.setShared(plain ? parseInteger(xml.bytes, xml.leafStart, xml.leafEnd) : Number(xml.leafText));
      else this.setNumber(plain ? parseNumber(xml.bytes, xml.leafStart, xml.leafEnd) : Number(xml.leafText));
      return;
    }
    const text = xml.leaf();
    if (type === 'str' || type === 'inlineStr') this.setText(decodeExcelEscapes(text));
    else if (text.trim() === '') return;
    else if (type === 'b') this.setValue(CellKind.Boolean, /^\s*(1|true)\s*$/i.test(text) ? 1 : 0);
    else if (type === 'e') this.setError(text.trim());
    else if (type === 'd') this.setValue(CellKind.Number, this.date(text));
    else throw this.wrong(`has the unknown type '${type.slice(0, 20)}'`);
  }

  private setValue(kind: number, value: number): void {
    this.kind = kind;
    this.value = value;
  }

  private setNumber(value: number): void {
    if (Number.isFinite(value)) {
      this.setValue(CellKind.Number, value);
      return;
    }
    const text = this.xml.lastLeaf().trim();
    // Some exporters write the results of their own arithmetic (NaN, infinity); the closest value in Excel is #NUM!.
    if (/^[-+]?(nan|inf|infinity|1\.#\w+|\d+(\.\d*)?e\+?\d+)$/i.test(text)) this.setError('#NUM!');
    else if (text !== '') throw this.wrong(`holds '${text.slice(0, 40)}' where a number belongs`);
  }

  private setShared(index: number): void {
    if (!(index >= 0 && index < this.context.strings.shared)) {
      throw this.wrong('points to a text that the file does not contain');
    }
    this.setValue(CellKind.Text, index);
  }

  private setText(text: string): void {
    this.setValue(CellKind.Text, this.context.strings.addOnce(text));
  }

  private setError(text: string): void {
    const name = this.context.metadata.names.get(this.valueMetadata);
    if (name !== undefined) return this.setText(name);
    const code = this.context.metadata.errors.get(this.valueMetadata) ?? cellError(text)?.code ?? '#VALUE!';
    this.setValue(CellKind.Error, ERROR_INDEX.get(code)!);
  }

  private date(text: string): number {
    const serial = isoToSerial(text.trim(), this.context.date1904);
    if (serial === null) throw this.wrong(`holds '${text.slice(0, 40)}' where a date belongs`);
    return serial;
  }

  private readFormula(): void {
    if (this.xml.attributeCount === 0) this.readPlainFormula();
    else this.readMarkedFormula();
  }

  /** Reads a formula without attributes; most equal the formula of the cell above, filled down. */
  private readPlainFormula(): void {
    const { xml, row, col } = this;
    const isRaw = xml.readRawLeaf();
    this.formula = isRaw ? this.filled.find(xml, row, col) : -1;
    if (this.formula >= 0) {
      const record = this.store.formulaTable[this.formula]!;
      if (record.kind === 'normal') record.kind = 'filled';
      return;
    }
    const text = this.formulaText(xml.rawLeaf());
    if (text === '') return;
    this.formula = this.addFormula({ kind: 'normal', text, cell: { row, col } });
    if (isRaw) this.filled.store(xml, row, col, this.formula);
  }

  private readMarkedFormula(): void {
    const { xml } = this;
    const type = xml.attribute('t') ?? 'normal';
    const ref = xml.attribute('ref');
    const sharedIndex = type === 'shared' ? Number(xml.attribute('si') ?? -1) : -1;
    const dataTable = type === 'dataTable' ? dataTableText(xml) : '';
    const text = type === 'dataTable' ? (xml.skip(), dataTable) : this.formulaText(xml.leaf());
    const block = ref === undefined ? undefined : (parseBlock(ref) ?? undefined);
    const cell = { row: this.row, col: this.col };
    if (ref !== undefined && !block)
      throw this.wrong(`has a formula over '${ref.slice(0, 40)}', which is not a range of a sheet`);
    if (type === 'shared' && text === '') this.useShared(sharedIndex);
    else if (type === 'shared' && block) {
      this.formula = this.addFormula({ kind: 'shared', text, cell, block });
      this.shared.set(sharedIndex, this.formula);
    } else if (type === 'array') {
      const kind = this.context.metadata.dynamicArrays.has(this.cellMetadata) ? 'dynamicArray' : 'array';
      this.formula = this.addFormula({ kind, text, cell, block: block ?? cellBlock(cell) });
    } else if (type === 'dataTable') this.formula = this.addFormula({ kind: 'dataTable', text, cell, block });
    else if (text !== '') this.formula = this.addFormula({ kind: 'normal', text, cell });
  }

  private formulaText(text: string): string {
    const formula = text.startsWith('=') ? text.slice(1) : text;
    checkFormulaLength(formula, `cell ${this.address()} of sheet '${this.sheet}'`, this.context.limits);
    this.context.formulaCharsLeft -= formula.length;
    if (this.context.formulaCharsLeft >= 0) return formula;
    throw new WorkbookFileError(
      'tooManyCells',
      'The formulas of the workbook are too long in total to be read. Split the workbook.',
    );
  }

  private addFormula(formula: FormulaModel): number {
    return this.store.formulaTable.push(formula) - 1;
  }

  private useShared(index: number): void {
    this.formula = this.shared.get(index) ?? -1;
    if (this.formula < 0) this.orphanOf = index;
  }

  private resolveOrphans(): void {
    for (const { cell, shared } of this.orphans) {
      const formula = this.shared.get(shared);
      if (formula === undefined) {
        Object.assign(this, this.store.position(cell));
        throw this.wrong('shares a formula that the file does not contain');
      }
      this.store.setFormula(cell, formula);
    }
  }

  private address(): string {
    return formatCell(this.row, this.col);
  }

  private wrong(detail: string): WorkbookFileError {
    return damaged(`cell ${this.address()} of sheet '${this.sheet}' ${detail}`);
  }

  private beyond(what: string): WorkbookFileError {
    return new WorkbookFileError(
      'beyondSheet',
      `Sheet '${this.sheet}' has ${what}, which is outside the limits of a sheet (A1 to XFD1048576). ${SAVE_AGAIN}`,
    );
  }
}
