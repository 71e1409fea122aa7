/** Source: "Table hints (Transact-SQL)". */
import { isGroup, isSymbol, isWord, levelsOf, type Group, type Statement } from './statement-tree.ts';

/** Of each group a table takes one. */
const GROUPS = [
  // The page counts READCOMMITTEDLOCK among these, but says itself that it is about how rows are read, and not how many a lock holds. That a
  // server takes it together with ROWLOCK was not tried here.
  ['paglock', 'nolock', 'rowlock', 'tablock', 'tablockx'],
  ['holdlock', 'nolock', 'readcommitted', 'readuncommitted', 'repeatableread', 'serializable'],
];
const HINTS = new Set([...GROUPS.flat(), 'readcommittedlock', 'readpast', 'updlock', 'xlock', 'nowait', 'noexpand']);

/** With the place it stands in. */
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

export function hintFault(statement: Statement): string | undefined {
  for (const { hints, isTargetOfInsert } of hintsOf(statement)) {
    const fault = faultOf(hints, isTargetOfInsert);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf({ nodes }: Group, isTargetOfInsert: boolean): string | undefined {
  const isList = nodes.every((node, index) => (index % 2 === 0 ? isWord(node, ...HINTS) : isSymbol(node, ',')));
  if (!isList) return 'hints are separated by commas';
  const has = (hint: string): boolean => nodes.some((node) => isWord(node, hint));
  if (GROUPS.some((group) => group.filter(has).length > 1)) return 'hints that exclude each other';
  if (has('readpast')) {
    if (isTargetOfInsert) return 'READPAST is not for the target of INSERT';
    // The portal has READ_COMMITTED_SNAPSHOT on, and works in READ COMMITTED.
    if (!has('readcommittedlock')) return 'READPAST needs READCOMMITTEDLOCK where READ_COMMITTED_SNAPSHOT is on';
    if (has('holdlock') || has('serializable')) return 'READPAST is for READ COMMITTED and REPEATABLE READ';
    // "row-level locks are skipped, but page-level locks aren't skipped"
    if (!has('rowlock')) return 'READPAST passes over rows alone: ROWLOCK';
  }
  if (isTargetOfInsert && has('readcommittedlock'))
    return 'error 4140: READCOMMITTEDLOCK is not for the target of INSERT';
  return undefined;
}
