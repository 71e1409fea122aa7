/** A requirement for statements from Microsoft's documentation. */
import { levelsOf, type Node, type Statement } from './statement-tree.ts';

export interface Rule {
  name: string;
  /** Page of the documentation. */
  source: string;
  /** Returns the problem; undefined if there is none. */
  findViolation(statement: Statement): string | undefined;
}

export const DOCS = 'https://learn.microsoft.com/sql/';

export const someLevel = (statement: Statement, test: (nodes: readonly Node[], before?: Node) => boolean): boolean =>
  [...levelsOf(statement.nodes)].some(({ nodes, before }) => test(nodes, before));
