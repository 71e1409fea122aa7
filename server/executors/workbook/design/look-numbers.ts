/** Numbers the looks that a workbook uses in order of first use. Files list thousands of styles that no cell has. */
import type { CellLook } from '#shared/contract/designs.ts';

export interface LookNumbers {
  /** Returns the number of a style's look. */
  numberOf(style: number): number;
  /** Returns true if a blank cell with the style looks different from a cell without a style. */
  isVisible(style: number): boolean;
  /** Indexed by number. */
  readonly used: readonly CellLook[];
}

export function createLookNumbers(all: readonly CellLook[]): LookNumbers {
  const numbers = new Map<string, number>();
  const byStyle = new Map<number, number>();
  const used: CellLook[] = [];
  return {
    used,
    numberOf(style) {
      const known = byStyle.get(style);
      if (known !== undefined) return known;
      const look = all[style] ?? all[0]!;
      const key = JSON.stringify(look);
      const number = numbers.get(key) ?? used.push(look) - 1;
      numbers.set(key, number);
      byStyle.set(style, number);
      return number;
    },
    isVisible(style) {
      const look = all[style];
      return look !== undefined && (look.Fill !== null || look.Borders.some((border) => border !== null));
    },
  };
}
