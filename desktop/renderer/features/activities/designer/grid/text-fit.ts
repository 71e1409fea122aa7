/** How texts and numbers fit their cells: texts run over into blank neighbours, numbers are rounded or become '####', as in Excel. */

export type TextAlign = 'left' | 'right' | 'center';

export interface RunOver {
  /** The first and the last column that the text is drawn over. */
  from: number;
  to: number;
}

interface Neighbours {
  /** Pixels of a column. */
  width: (col: number) => number;
  /** Whether a text may be drawn over the column. */
  isBlank: (col: number) => boolean;
  count: number;
}

/** @param need pixels of the text with its padding */
export function runOver(col: number, need: number, align: TextAlign, { width, isBlank, count }: Neighbours): RunOver {
  let missing = need - width(col);
  let [from, to] = [col, col];
  if (missing <= 0) return { from, to };
  const share = align === 'center' ? missing / 2 : missing;
  if (align !== 'right') {
    for (missing = share; missing > 0 && to + 1 < count && isBlank(to + 1); missing -= width(to)) to += 1;
  }
  if (align !== 'left') {
    for (missing = share; missing > 0 && from > 0 && isBlank(from - 1); missing -= width(from)) from -= 1;
  }
  return { from, to };
}

interface NumberFit {
  value: number;
  /** As it is shown with room enough. */
  text: string;
  /** Whether its format leaves the number of digits to the width. */
  isGeneral: boolean;
  /** Pixels for the text. */
  room: number;
  measure: (text: string) => number;
  /** The text of another number in the same format. */
  format: (value: number) => string;
}

/** What a cell shows of a number: fewer decimals where its format lets them go, else '####'. */
export function fitNumber({ value, text, isGeneral, room, measure, format }: NumberFit): string {
  if (measure(text) <= room) return text;
  if (isGeneral && !Number.isInteger(value) && Math.abs(value) < 1e11) {
    for (let decimals = 9; decimals >= 0; decimals -= 1) {
      const rounded = Number(value.toFixed(decimals));
      const shorter = format(rounded);
      // Rounded to nothing, it would be taken for nothing.
      if (rounded !== 0 && measure(shorter) <= room) return shorter;
    }
  }
  return '#'.repeat(Math.max(1, Math.floor(room / Math.max(1, measure('#')))));
}
