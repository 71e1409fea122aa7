/** Converts one formula for IronCalc. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { walk } from '#server/calculation/syntax/traverse.ts';
import type { EngineFormula } from '#server/calculation/tables/formula-cells.ts';
import { sayIntersections } from './intersect.ts';
import { keepParentheses } from './parentheses.ts';
import { translate, Untranslatable } from './translate.ts';
import type { TranslationContext } from './translate.ts';

/** Maximum nesting depth. IronCalc parses formulas by recursion on a stack of one megabyte. */
const MAX_LEVELS = 100;

/**
 * Returns the text to type, with '='. If IronCalc cannot handle the formula, returns the error to show and the reason.
 */
export function formulaText(
  { tree, kind }: EngineFormula,
  context: Omit<TranslationContext, 'sheet' | 'at'>,
  sheet: number,
  at: CellPosition,
): { text: string; construct: string | null } {
  if (kind === 'dataTable') return { text: '#N/A', construct: 'data table' };
  if (!tree) return { text: '#NAME?', construct: 'unreadable formula' };
  try {
    const translated = translate(tree, { ...context, sheet, at });
    if (levels(translated) > MAX_LEVELS) throw new Untranslatable('A formula nested this deep', '#VALUE!');
    const ordinary = kind === 'normal' || kind === 'shared' || kind === 'filled';
    const said = ordinary ? sayIntersections(translated, at) : translated;
    return { text: `=${printFormula(keepParentheses(said), at)}`, construct: null };
  } catch (error) {
    if (error instanceof Untranslatable) return { text: error.code, construct: error.construct };
    throw error;
  }
}

/** Returns the nesting depth of the tree in parentheses, calls and right operands. */
function levels(tree: Node): number {
  let deepest = 0;
  const open: { node: Node; level: number }[] = [{ node: tree, level: 1 }];
  for (let step = open.pop(); step; step = open.pop()) {
    const { node, level } = step;
    deepest = Math.max(deepest, level);
    walk(node, (child) => {
      if (child === node) return true;
      open.push({ node: child, level: level + (node.type === 'binary' && child === node.left ? 0 : 1) });
      return false;
    });
  }
  return deepest;
}
