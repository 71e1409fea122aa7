/** Handles formulas that the file stores other than as their own text. */
import { isFilledDown, rowTemplate } from '../syntax/row-template.ts';
import type { RowTemplate } from '../syntax/row-template.ts';
import type { XmlScanner } from './xml-scanner.ts';
import { decodeUtf8 } from './xml-text.ts';

/**
 * Remembers the last formula of each column that the file spells out, to detect cells below with the same formula,
 * filled down.
 */
export class FilledFormulas {
  private readonly above: ({ formula: number; template: RowTemplate | null } | undefined)[] = [];

  /** Returns the formula whose text, filled down, equals the raw leaf that was just read; -1 if there is none. */
  find({ bytes, leafStart, leafEnd }: XmlScanner, row: number, col: number): number {
    const above = this.above[col];
    return above?.template && isFilledDown(above.template, bytes, leafStart, leafEnd, row) ? above.formula : -1;
  }

  store({ bytes, leafStart, leafEnd }: XmlScanner, row: number, col: number, formula: number): void {
    this.above[col] = { formula, template: rowTemplate(decodeUtf8(bytes, leafStart, leafEnd), row) };
  }
}

/**
 * Returns a what-if table as Excel shows it: TABLE(row input cell, column input cell); #REF! for a deleted input cell.
 */
export function dataTableText(xml: XmlScanner): string {
  const first = xml.flag('del1') ? '#REF!' : (xml.attribute('r1') ?? '');
  const second = xml.flag('del2') ? '#REF!' : (xml.attribute('r2') ?? '');
  if (xml.flag('dt2D')) return `TABLE(${first},${second})`;
  return xml.flag('dtr') ? `TABLE(${first},)` : `TABLE(,${first})`;
}

/** Returns a block of one cell. */
export function cellBlock(cell: { row: number; col: number }) {
  return { top: cell.row, left: cell.col, bottom: cell.row, right: cell.col };
}
