/** Formula texts of a sheet for display, and keys that are equal for formulas that were filled down. */
import type { FormulaModel } from '#server/calculation/reader/workbook-model.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import { printFormula, printRelative } from '#server/calculation/syntax/printer.ts';
import { shownFormula } from '#server/calculation/syntax/shown-formula.ts';

export interface FormulaTexts {
  key(formula: number): string;
  /** Returns the text as Excel shows it in a cell, with '='. */
  text(formula: number, row: number, col: number): string;
}

export function createFormulaTexts(table: readonly FormulaModel[]): FormulaTexts {
  const trees: (Node | null | undefined)[] = [];
  const keys: string[] = [];

  /** Returns null if the text cannot be parsed; it is then used as it is. */
  function tree(formula: number): Node | null {
    const known = trees[formula];
    if (known !== undefined) return known;
    const { kind, text, cell } = table[formula]!;
    return (trees[formula] = kind === 'dataTable' ? null : parse(text, cell));
  }

  return {
    key(formula) {
      const known = keys[formula];
      if (known !== undefined) return known;
      const { kind, text } = table[formula]!;
      const parsed = tree(formula);
      const isArray = kind === 'array' || kind === 'dynamicArray';
      return (keys[formula] = `${isArray ? kind : ''}${parsed ? printRelative(parsed) : text}`);
    },
    text(formula, row, col) {
      const { kind, text } = table[formula]!;
      const parsed = tree(formula);
      const shown = shownFormula(parsed ? printFormula(parsed, { row, col }) : text);
      return kind === 'array' ? `{${shown}}` : shown;
    },
  };
}

function parse(text: string, cell: FormulaModel['cell']): Node | null {
  try {
    return parseFormula(text, cell);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}
