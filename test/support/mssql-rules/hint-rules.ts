/** Source: "Table hints (Transact-SQL)". */
import { isGroup, isSymbol, isWord, levelsOf, type Group, type Statement } from './statement-tree.ts';

/** A table takes at most one hint of each group. */
const GROUPS = [
  // The page lists READCOMMITTEDLOCK here, but its description concerns how rows are read, not the lock granularity.
  // Whether a server accepts it together with ROWLOCK was not tested.
  ['paglock', 'nolock', 'rowlock', 'tablock', 'tablockx'],
  ['holdlock', 'nolock', 'readcommitted', 'readuncommitted', 'repeatableread', 'serializable'],
];
const HINTS = new Set([...GROUPS.flat(), 'readcommittedlock', 'readpast', 'updlock', 'xlock', 'nowait', 'noexpand']);

/** Yields the groups of hints with their context. */
function* hintsOf({ nodes }: Statement): Generator<{ hints: Group; isTargetOfInsert: boolean }> {
  for (const { nodes: level } of levelsOf(nodes)) {
    for (const [index, hints] of level.entries()) {
      if (!isGroup(hints) || !isWord(level[index - 1], 'with') || !isWord(hints.nodes[0], ...HINTS)) continue;
      const isTargetOfInsert =
        isWord(level[0], 'insert') && !level.slice(0, index).some((node) => isWord(node, 'from'));
      yield { hints, isTargetOfInsert };
    }
  }
}

export function hintViolation(statement: Statement): string | undefined {
  for (const { hints, isTargetOfInsert } of hintsOf(statement)) {
    const violation = violationOf(hints, isTargetOfInsert);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function violationOf({ nodes }: Group, isTargetOfInsert: boolean): string | undefined {
  const isList = nodes.every((node, index) => (index % 2 === 0 ? isWord(node, ...HINTS) : isSymbol(node, ',')));
  if (!isList) return 'hints are separated by commas';
  const has = (hint: string): boolean => nodes.some((node) => isWord(node, hint));
  if (GROUPS.some((group) => group.filter(has).length > 1)) return 'hints that exclude each other';
  if (has('readpast')) {
    if (isTargetOfInsert) return 'READPAST is not for the target of INSERT';
    // The portal enables READ_COMMITTED_SNAPSHOT and uses READ COMMITTED.
    if (!has('readcommittedlock')) return 'READPAST needs READCOMMITTEDLOCK where READ_COMMITTED_SNAPSHOT is on';
    if (has('holdlock') || has('serializable')) return 'READPAST is for READ COMMITTED and REPEATABLE READ';
    // "row-level locks are skipped, but page-level locks aren't skipped"
    if (!has('rowlock')) return 'READPAST passes over rows alone: ROWLOCK';
  }
  if (isTargetOfInsert && has('readcommittedlock'))
    return 'error 4140: READCOMMITTEDLOCK is not for the target of INSERT';
  return undefined;
}
