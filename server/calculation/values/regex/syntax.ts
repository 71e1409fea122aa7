/** The tree of a regular expression in the PCRE2 dialect of Excel's REGEX functions. */

export type Mode = 'greedy' | 'lazy' | 'possessive';

export type RegexNode =
  /** One character, by code point. */
  | { type: 'set'; test: (code: number) => boolean; isDot?: true }
  | { type: 'sequence'; items: RegexNode[] }
  | { type: 'choice'; options: RegexNode[] }
  | { type: 'capture'; index: number; body: RegexNode }
  | { type: 'repeat'; body: RegexNode; min: number; max: number; mode: Mode }
  | { type: 'reference'; index: number; ignoreCase: boolean }
  | { type: 'look'; body: RegexNode; behind: boolean; negated: boolean }
  | { type: 'atomic'; body: RegexNode }
  | { type: 'anchor'; kind: 'start' | 'end' | 'textStart' | 'textEnd' | 'lastLine' | 'word' | 'noWord'; lines: boolean }
  /** '\K': the match begins here. */
  | { type: 'keep' };

export interface RegexTree {
  root: RegexNode;
  /** Number of capturing groups. */
  groups: number;
  names: Map<string, number>;
}

/** A pattern that is not a valid regular expression, or uses unsupported features (recursion, conditions, callouts). */
export class RegexSyntaxError extends Error {}
