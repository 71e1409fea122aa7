/** Parses Transact-SQL statements as far as the rules require: everything within parentheses is one node. */
import { sqlTokens, type SqlToken } from '#shared/codecs/sql-tokens.ts';

export interface Group {
  kind: 'group';
  nodes: Node[];
}

export type Node = SqlToken | Group;

export interface Parameter {
  /** The name used by the driver. */
  type: string;
  value: unknown;
}

export interface Statement {
  nodes: readonly Node[];
  /** Parameters of the whole text, which may contain several statements. */
  parameters: readonly Parameter[];
  hasSemicolon: boolean;
}

/** Returns the statements of a text in order. */
export function statementsOf(sql: string, parameters: readonly Parameter[] = []): Statement[] {
  const stack: Node[][] = [[]];
  const statements: Statement[] = [];
  const end = (hasSemicolon: boolean): void => {
    if (stack.length === 1 && stack[0]!.length > 0) statements.push({ nodes: stack[0]!, parameters, hasSemicolon });
    stack.splice(0, stack.length, []);
  };
  for (const token of sqlTokens(sql, 'mssql')) {
    if (token.kind === 'space') continue;
    if (token.kind === 'end') end(true);
    else if (token.text === '(') stack.push([]);
    else if (token.text === ')' && stack.length > 1) {
      const nodes = stack.pop()!;
      stack.at(-1)!.push({ kind: 'group', nodes });
    } else stack.at(-1)!.push(token);
  }
  end(false);
  return statements;
}

export const isGroup = (node: Node | undefined): node is Group => node?.kind === 'group';

/** True for one of these words without quotes, in any case. */
export const isWord = (node: Node | undefined, ...words: string[]): boolean =>
  node?.kind === 'word' && words.includes(node.text.toLowerCase());

export const isSymbol = (node: Node | undefined, symbol: string): boolean =>
  node?.kind === 'symbol' && node.text === symbol;

/** Returns the position of these words in sequence; -1 if not found. */
export function indexOfWords(nodes: readonly Node[], words: readonly string[], from = 0): number {
  for (let at = from; at + words.length <= nodes.length; at++) {
    if (words.every((word, index) => isWord(nodes[at + index], word))) return at;
  }
  return -1;
}

export interface Level {
  nodes: readonly Node[];
  /** The node before the opening parenthesis; undefined for the statement itself. */
  before?: Node;
}

/** Yields the statement itself and the contents of each of its parentheses. */
export function* levelsOf(nodes: readonly Node[], before?: Node): Generator<Level> {
  yield { nodes, before };
  for (const [index, node] of nodes.entries()) if (isGroup(node)) yield* levelsOf(node.nodes, nodes[index - 1]);
}

/** Returns the nodes up to the first of these words. */
export function until(nodes: readonly Node[], from: number, ...words: string[]): Node[] {
  const end = nodes.findIndex((node, index) => index >= from && isWord(node, ...words));
  return nodes.slice(from, end < 0 ? undefined : end);
}

export function byCommas(nodes: readonly Node[]): Node[][] {
  const items: Node[][] = [[]];
  for (const node of nodes) {
    if (isSymbol(node, ',')) items.push([]);
    else items.at(-1)!.push(node);
  }
  return items;
}

export function contains(
  nodes: readonly Node[],
  test: (node: Node, index: number, of: readonly Node[]) => boolean,
): boolean {
  for (const { nodes: level } of levelsOf(nodes))
    if (level.some((node, index) => test(node, index, level))) return true;
  return false;
}

export const textOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (isGroup(node) ? `(${textOf(node.nodes)})` : node.text)).join(' ');
