/** The looks that a workbook uses, numbered as they come up: files list thousands of styles that no cell has. */
import type { CellLook } from '#shared/contract/designs.ts';

export interface LookNumbers {
  /** The number of a style's look. */
  numberOf(style: number): number;
  /** Whether a blank cell of the style differs from a cell without one. */
  isVisible(style: number): boolean;
  /** By number. */
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
