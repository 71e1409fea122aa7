/** Texts of a workbook: the shared string table, and the rich text of cells and notes. */
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { SAVE_AGAIN, WorkbookFileError } from './workbook-file-error.ts';
import { decodeExcelEscapes } from './xml-text.ts';

/** All texts of the cells, shared ones first, within the limits of the reader. */
export class StringTable {
  readonly texts: string[] = [];
  /** Number of shared texts, which cells reference by number. */
  shared = 0;
  private readonly limits: ReaderLimits;
  private readonly indexes = new Map<string, number>();
  private chars = 0;

  constructor(limits: ReaderLimits) {
    this.limits = limits;
  }

  add(text: string): number {
    this.chars += text.length;
    if (this.texts.length >= this.limits.strings || this.chars > this.limits.stringChars) {
      throw new WorkbookFileError(
        'tooManyStrings',
        `The workbook holds too much text: at most ${this.limits.strings.toLocaleString('en')} texts of together ` +
          `${this.limits.stringChars.toLocaleString('en')} characters can be read. Remove what is not needed, and upload it again.`,
      );
    }
    return this.texts.push(text) - 1;
  }

  /** Like `add`, but equal texts share an index, because results of formulas repeat. */
  addOnce(text: string): number {
    const known = this.indexes.get(text);
    if (known !== undefined) return known;
    const index = this.add(text);
    if (this.indexes.size < 100_000) this.indexes.set(text, index);
    return index;
  }
}

/** Fills `table` from the shared strings part. Ignores its `count` attributes, which may be wrong. */
export function readSharedStrings(bytes: Uint8Array, path: string, table: StringTable, limits: ReaderLimits): void {
  const xml = new XmlScanner(bytes, path, limits);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Open && xml.name === 'si') table.add(readRichText(xml));
  }
  table.shared = table.texts.length;
}

/** Call at the Open of an element with rich text (si, is, text). Moves to its Close; omits phonetic guides. */
export function readRichText(xml: XmlScanner): string {
  const depth = xml.depth;
  let text = '';
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.Close && xml.depth === depth) return text;
    if (token !== XmlToken.Open) continue;
    if (xml.name === 't') text += decodeExcelEscapes(xml.leaf());
    else if (xml.name === 'rPh' || xml.name === 'rPr' || xml.name === 'extLst') xml.skip();
  }
}

/** Refuses a formula that is longer than Excel allows. */
export function checkFormulaLength(text: string, where: string, limits: ReaderLimits): string {
  if (text.length > limits.formulaChars) {
    throw new WorkbookFileError(
      'formulaTooLong',
      `The formula of ${where} has ${text.length.toLocaleString('en')} characters, more than Excel allows. ${SAVE_AGAIN}`,
    );
  }
  return text;
}
