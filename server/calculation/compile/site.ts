/** The context of a node while its formula is compiled. */
import type { FunctionDefinition } from '../functions/function.ts';
import type { Scope } from '../graph/scope.ts';
import type { Node } from '../syntax/ast.ts';
import type { Code, Mode, Want } from './code.ts';
import type { Clip } from './clip.ts';

/** Properties of a formula found by compiling it. */
export interface Traits {
  /** True if its result, or what it reads, may change although nothing it refers to has changed. */
  volatile: boolean;
  /** True if it contains SUBTOTAL or AGGREGATE. */
  isSubtotal: boolean;
  /** True if it reads another workbook, or a name in one, whose values are not in the file. */
  readsUnsaved: boolean;
  /** Names of missing functions, in upper case. */
  missing: Set<string>;
}

/** A variable of LET or LAMBDA. */
export interface Variable {
  /** Index of its value in the frame. */
  readonly slot: number;
  /** True if it holds an array even in a legacy formula. */
  readonly holdsArray: boolean;
}

export interface Site {
  readonly scope: Scope;
  readonly sheet: number;
  readonly findFunction: (name: string) => FunctionDefinition | undefined;
  readonly traits: Traits;
  /** The variables visible here, by lower-case name. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** Number of slots the formula needs. */
  readonly frame: { size: number };
  /** Code of names that are compiled or being compiled, by their trees. */
  readonly names: Map<Node, { code: Code | null }>;
  /** Nodes examined for constant arrays, with the result. */
  readonly carriers: Map<Node, boolean>;
  /** True if the surrounding part is cached across formulas. */
  readonly isCached?: boolean;
  /** If set, whole columns are truncated. */
  readonly clip?: Clip;
  /** Number of surrounding calls that are compiled twice, with and without truncated columns. */
  readonly clippedCalls?: number;
  compile(node: Node, want: Want, mode: Mode, site: Site): Code;
}

/** Returns the site with one more variable. */
export function withVariable(site: Site, name: string, variable: Variable): Site {
  return { ...site, variables: new Map(site.variables).set(name.toLowerCase(), variable) };
}
