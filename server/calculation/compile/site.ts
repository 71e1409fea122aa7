/** Where a node stands while its formula is compiled. */
import type { FunctionDefinition } from '../functions/function.ts';
import type { Scope } from '../graph/scope.ts';
import type { Node } from '../syntax/ast.ts';
import type { Code, Mode, Want } from './code.ts';
import type { Clip } from './clip.ts';

/** What compiling a formula has shown of it. */
export interface Traits {
  /** Its result, or what it reads, may change although nothing it refers to has. */
  volatile: boolean;
  /** SUBTOTAL or AGGREGATE stand in it. */
  isSubtotal: boolean;
  /** It reads another workbook, or a name of one, of which the file holds no values. */
  readsUnsaved: boolean;
  /** Upper case; functions that are not there. */
  missing: Set<string>;
}

/** A variable of LET or LAMBDA. */
export interface Variable {
  /** Where the frame holds its value. */
  readonly slot: number;
  /** It holds an array even in a formula of the old kind. */
  readonly holdsArray: boolean;
}

export interface Site {
  readonly scope: Scope;
  readonly sheet: number;
  readonly findFunction: (name: string) => FunctionDefinition | undefined;
  readonly traits: Traits;
  /** The variables that can be seen from here, by name in lower case. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** How many slots the formula needs. */
  readonly frame: { size: number };
  /** Codes of names being compiled or compiled already, by their trees. */
  readonly names: Map<Node, { code: Code | null }>;
  /** Nodes looked at for constant arrays, and what was found. */
  readonly carriers: Map<Node, boolean>;
  /** What is around is kept from one formula to the next. */
  readonly isKept?: boolean;
  /** Whole columns end here. */
  readonly clip?: Clip;
  /** Calls around that are compiled twice, with and without an end of whole columns. */
  readonly clippedCalls?: number;
  compile(node: Node, want: Want, mode: Mode, site: Site): Code;
}

/** The site with one more variable. */
export function withVariable(site: Site, name: string, variable: Variable): Site {
  return { ...site, variables: new Map(site.variables).set(name.toLowerCase(), variable) };
}
