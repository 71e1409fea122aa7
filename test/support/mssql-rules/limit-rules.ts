/** Source: "Maximum capacity specifications for SQL Server"; "Table Value Constructor"; sp_executesql; sp_getapplock. */
import { byCommas, contains, isGroup, isWord, type Node, type Statement } from './statement-tree.ts';

/** A procedure takes 2,100 parameters; sp_executesql uses two of them for the statement and the declaration. */
const MAX_PARAMETERS = 2_100 - 2;
const MAX_ROWS = 1_000;
const MAX_NAME_LENGTH = 128;
/** Length limit for the name of a temporary table. */
const MAX_TEMPORARY_NAME_LENGTH = 116;
const MAX_RESOURCE_LENGTH = 255;
/** Digits of an int. */
const MAX_ID_LENGTH = 10;

export function limitViolation(statement: Statement): string | undefined {
  const { nodes, parameters } = statement;
  if (parameters.length > MAX_PARAMETERS) return `${parameters.length} parameters`;
  if (contains(nodes, isTooLong)) return 'a name that is too long';
  return rowsViolation(nodes) ?? lockViolation(statement);
}

function isTooLong(node: Node): boolean {
  if (node.kind !== 'name' || !node.text.startsWith('[')) return false;
  const name = node.text.slice(1, -1).replaceAll(']]', ']');
  return name.length > (name.startsWith('#') ? MAX_TEMPORARY_NAME_LENGTH : MAX_NAME_LENGTH);
}

/** A list in FROM or USING has no limit. */
function rowsViolation(nodes: readonly Node[]): string | undefined {
  const at = nodes.findIndex((node) => isWord(node, 'values'));
  if (!isWord(nodes[0], 'insert') || at < 0) return undefined;
  const rows = byCommas(nodes.slice(at + 1)).filter(([row]) => isGroup(row)).length;
  return rows > MAX_ROWS ? `error 10738: ${rows} rows in VALUES` : undefined;
}

function lockViolation({ nodes, parameters }: Statement): string | undefined {
  if (!nodes.some((node) => isWord(node, 'sp_getapplock'))) return undefined;
  const given = (name: string): Node | undefined =>
    nodes[nodes.findIndex((node) => !isGroup(node) && node.text === name) + 2];
  const text = (name: string): string => {
    const node = given(name);
    return node === undefined || isGroup(node) ? '' : node.text;
  };
  const resource = text('@Resource');
  const literal = /^N?'(.*)'$/.exec(resource)?.[1];
  const parameter = /^@p(\d+)$/.exec(resource)?.[1];
  // A variable holds the id of the database, a dot and the first parameter.
  const prefixLength = literal === undefined && parameter === undefined ? MAX_ID_LENGTH + 1 : 0;
  const value = literal ?? parameters[Number(parameter ?? 0)]?.value;
  if (typeof value !== 'string' || value.length + prefixLength > MAX_RESOURCE_LENGTH)
    return 'sp_getapplock cuts its resource off at 255 characters';
  if (!["'Shared'", "'Update'", "'Exclusive'"].includes(text('@LockMode'))) return 'sp_getapplock has no such mode';
  return text('@LockOwner') === "'Transaction'" ? undefined : 'a lock of the session outlives the transaction';
}
