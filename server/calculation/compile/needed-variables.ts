/** Finds the variables of a LET that are certainly needed, whatever its conditions yield. */
import type { Node } from '../syntax/ast.ts';
import { walk } from '../syntax/traverse.ts';

/** Number of leading arguments of these functions that are always calculated; the others are conditional. */
const FIRST_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ['IF', 1],
  ['IFS', 1],
  ['IFERROR', 1],
  ['IFNA', 1],
  ['CHOOSE', 1],
  ['SWITCH', 2],
  ['LAMBDA', 0],
  ['LET', 0],
]);

/**
 * Returns the positions, among the arguments of LET, of the names of variables that its result always needs. The others
 * are calculated on first use, as in Excel: a variable of a branch that is not taken causes no circular reference and
 * takes no time.
 */
export function neededVariables(args: readonly Node[]): Set<number> {
  const needed = new Set<number>();
  const names = new Map<string, number>();
  for (let index = 0; index + 1 < args.length; index += 2) {
    const name = args[index]!;
    if (name.type === 'name') names.set(name.name.toLowerCase(), index);
  }
  readAlways(args.at(-1)!, names, needed);
  for (let index = args.length - 3; index >= 0; index -= 2) {
    if (needed.has(index)) readAlways(args[index + 1]!, names, needed);
  }
  return needed;
}

function readAlways(root: Node, names: ReadonlyMap<string, number>, needed: Set<number>): void {
  const open: Node[] = [root];
  for (let top = open.pop(); top; top = open.pop()) {
    walk(top, (node) => {
      if (node.type === 'name' && node.prefix === null && !node.isFunction) {
        const index = names.get(node.name.toLowerCase());
        if (index !== undefined) needed.add(index);
      }
      const first = node.type === 'call' ? FIRST_ARGUMENTS.get(node.name) : undefined;
      if (node.type !== 'call' || first === undefined) return true;
      open.push(...node.args.slice(0, first));
      return false;
    });
  }
}
