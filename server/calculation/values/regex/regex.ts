/**
 * Regular expressions with a step limit. A pattern with excessive backtracking is stopped, which JavaScript's own
 * RegExp does not allow. Each node is compiled to a function that continues with what follows it.
 */
import { beginsWithAnything, holdsAnchor } from './anchors.ts';
import { lowerCode } from './classes.ts';
import { parseRegex } from './parser.ts';
import { RegexSyntaxError, type RegexNode, type RegexTree } from './syntax.ts';

/** Maximum number of steps for one search in one text. */
const MAX_STEPS = 1_000_000;
/** Maximum nesting of group repetitions, because each one uses the stack. */
const MAX_DEPTH = 2_000;
const MAX_CACHED_PATTERNS = 200;

/** A search that exceeded its limits. */
export class RegexLimitError extends Error {}

export interface RegexMatch {
  start: number;
  end: number;
  /** Texts of the groups, starting with group 1; undefined for a group that did not take part. */
  groups: (string | undefined)[];
}

export interface Regex {
  readonly names: ReadonlyMap<string, number>;
  /** Throws RegexLimitError. */
  first(text: string): RegexMatch | null;
  /** Returns all non-overlapping matches. Throws RegexLimitError. */
  all(text: string): RegexMatch[];
  /** Number of steps of the last search. */
  readonly spent: number;
}

const compiledPatterns = new Map<string, Regex | null>();

/** Returns the compiled pattern, or null if it is not a valid regular expression. */
export function compileRegex(pattern: string, ignoreCase: boolean): Regex | null {
  const key = (ignoreCase ? 'i' : 'c') + pattern;
  let regex = compiledPatterns.get(key);
  if (regex === undefined) {
    regex = tryCompile(pattern, ignoreCase);
    if (compiledPatterns.size >= MAX_CACHED_PATTERNS) compiledPatterns.clear();
    compiledPatterns.set(key, regex);
  }
  return regex;
}

function tryCompile(pattern: string, ignoreCase: boolean): Regex | null {
  try {
    return new Matcher(parseRegex(pattern, ignoreCase));
  } catch (error) {
    if (error instanceof RegexSyntaxError) return null;
    throw error;
  }
}

/** Returns true if the rest of the pattern matches from a position on. */
type Step = (at: number) => boolean;

class Matcher implements Regex {
  readonly names: ReadonlyMap<string, number>;
  private readonly groups: number;
  private readonly run: Step;
  /** True if the pattern begins with '.*': a search that fails at the start of a line also fails within it. */
  private readonly atLines: boolean;
  private text = '';
  private steps = 0;
  private depth = 0;
  private matchStart = 0;
  private matchEnd = 0;
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  constructor({ root, groups, names }: RegexTree) {
    this.names = names;
    this.groups = groups;
    this.atLines = beginsWithAnything(root);
    this.run = this.compile(root, (at) => {
      this.matchEnd = at;
      return true;
    });
  }

  get spent(): number {
    return this.steps;
  }

  first(text: string): RegexMatch | null {
    return this.guarded(text, () => this.search(0));
  }

  all(text: string): RegexMatch[] {
    return this.guarded(text, () => {
      const found: RegexMatch[] = [];
      for (let from = 0; from <= text.length;) {
        const match = this.search(from);
        if (!match) break;
        found.push(match);
        from = match.end === match.start ? match.end + 1 : match.end;
      }
      return found;
    });
  }

  private guarded<T>(text: string, search: () => T): T {
    this.text = text;
    this.steps = 0;
    try {
      return search();
    } catch (error) {
      // The stack is full: treated like too many steps.
      if (error instanceof RangeError) throw new RegexLimitError('The pattern nests too deep', { cause: error });
      throw error;
    }
  }

  private search(from: number): RegexMatch | null {
    for (let at = from; at <= this.text.length; at += 1) {
      if (this.atLines && at > from && this.text[at - 1] !== '\n') continue;
      for (let index = 0; index <= this.groups; index += 1) this.starts[index] = this.ends[index] = -1;
      this.depth = 0;
      this.matchStart = at;
      if (this.run(at)) return this.result();
    }
    return null;
  }

  private result(): RegexMatch {
    const groups = Array.from({ length: this.groups }, (_, index) => {
      const start = this.starts[index + 1]!;
      return start < 0 ? undefined : this.text.slice(start, this.ends[index + 1]);
    });
    return { start: Math.min(this.matchStart, this.matchEnd), end: this.matchEnd, groups };
  }

  private count(): void {
    this.steps += 1;
    if (this.steps > MAX_STEPS) throw new RegexLimitError('The pattern takes too long');
  }

  private compile(node: RegexNode, next: Step): Step {
    switch (node.type) {
      case 'set':
        return (at) => {
          this.count();
          const width = this.width(node.test, at);
          return width > 0 && next(at + width);
        };
      case 'sequence':
        return node.items.reduceRight((rest, item) => this.compile(item, rest), next);
      case 'choice': {
        const options = node.options.map((option) => this.compile(option, next));
        return (at) => options.some((option) => option(at));
      }
      case 'capture':
        return this.capture(node.index, node.body, next);
      case 'repeat':
        if (node.mode === 'possessive')
          return this.compile({ type: 'atomic', body: { ...node, mode: 'greedy' } }, next);
        return node.body.type === 'set' ? this.repeatSet(node, node.body.test, next) : this.repeat(node, next);
      case 'reference':
        return this.reference(node.index, node.ignoreCase, next);
      case 'look':
        return this.look(node, next);
      case 'atomic': {
        let end = -1;
        const body = this.compile(node.body, (at) => {
          end = at;
          return true;
        });
        return (at) => {
          const { depth } = this;
          if (!body(at)) return false;
          this.depth = depth;
          return next(end);
        };
      }
      case 'anchor':
        return (at) => holdsAnchor(node, this.text, at) && next(at);
      case 'keep':
        return (at) => {
          const before = this.matchStart;
          this.matchStart = at;
          if (next(at)) return true;
          this.matchStart = before;
          return false;
        };
    }
  }

  /** Returns the number of UTF-16 units of the character at a position if it is in the set, otherwise 0. */
  private width(test: (code: number) => boolean, at: number): number {
    const code = this.text.codePointAt(at);
    if (code === undefined || !test(code)) return 0;
    return code > 0xffff ? 2 : 1;
  }

  private capture(index: number, body: RegexNode, next: Step): Step {
    const open: number[] = [];
    const inner = this.compile(body, (at) => {
      const [start, end] = [this.starts[index]!, this.ends[index]!];
      const from = open.pop()!;
      this.starts[index] = from;
      this.ends[index] = at;
      if (next(at)) return true;
      open.push(from);
      this.starts[index] = start;
      this.ends[index] = end;
      return false;
    });
    return (at) => {
      open.push(at);
      if (inner(at)) return true;
      open.pop();
      return false;
    };
  }

  /** Repetitions of a single character are matched without recursion. */
  private repeatSet(
    { min, max, mode }: Extract<RegexNode, { type: 'repeat' }>,
    test: (code: number) => boolean,
    next: Step,
  ): Step {
    if (mode === 'lazy') {
      return (start) => {
        for (let at = start, count = 0; ; count += 1) {
          this.count();
          if (count >= min && next(at)) return true;
          const width = count < max ? this.width(test, at) : 0;
          if (width === 0) return false;
          at += width;
        }
      };
    }
    return (start) => {
      let at = start;
      let count = 0;
      for (; count < max; count += 1) {
        this.count();
        const width = this.width(test, at);
        if (width === 0) break;
        at += width;
      }
      for (; count >= min; count -= 1) {
        this.count();
        if (next(at)) return true;
        if (count > min) at -= at - start >= 2 && this.text.codePointAt(at - 2)! > 0xffff ? 2 : 1;
      }
      return false;
    };
  }

  private repeat({ body, min, max, mode }: Extract<RegexNode, { type: 'repeat' }>, next: Step): Step {
    let count = 0;
    let last = -1;
    const again = (at: number): boolean => {
      if (count >= max) return false;
      const [before, position] = [count, last];
      count += 1;
      last = at;
      this.depth += 1;
      if (this.depth > MAX_DEPTH) throw new RegexLimitError('The pattern repeats too often');
      if (inner(at)) return true;
      this.depth -= 1;
      [count, last] = [before, position];
      return false;
    };
    const leave = (at: number): boolean => {
      if (count < min) return false;
      const [before, position] = [count, last];
      if (next(at)) return true;
      [count, last] = [before, position];
      return false;
    };
    const loop: Step = (at) => {
      this.count();
      // A repetition that matched nothing would never end.
      if (at === last && count > min) return false;
      return mode === 'lazy' ? leave(at) || again(at) : again(at) || leave(at);
    };
    const inner = this.compile(body, loop);
    return (at) => {
      const [before, position] = [count, last];
      [count, last] = [0, -1];
      const matched = loop(at);
      [count, last] = [before, position];
      return matched;
    };
  }

  private reference(index: number, ignoreCase: boolean, next: Step): Step {
    const fold = (code: number): number => (ignoreCase ? lowerCode(code) : code);
    return (at) => {
      const start = this.starts[index]!;
      if (start < 0) return false;
      const length = this.ends[index]! - start;
      for (let offset = 0; offset < length; offset += 1) {
        this.count();
        if (at + offset >= this.text.length) return false;
        if (fold(this.text.charCodeAt(start + offset)) !== fold(this.text.charCodeAt(at + offset))) return false;
      }
      return next(at + length);
    };
  }

  private look({ body, behind, negated }: Extract<RegexNode, { type: 'look' }>, next: Step): Step {
    let target = -1;
    const inner = this.compile(body, (at) => target < 0 || at === target);
    const matches = (at: number): boolean => {
      const outer = target;
      target = behind ? at : -1;
      let found = false;
      const { depth } = this;
      for (let from = at; !found && from >= (behind ? 0 : at); from -= 1) found = inner(from);
      this.depth = depth;
      target = outer;
      return found;
    };
    return (at) => {
      this.count();
      const [starts, ends] = [[...this.starts], [...this.ends]];
      const found = matches(at);
      if (found !== negated && next(at)) return true;
      starts.forEach((start, index) => {
        this.starts[index] = start;
        this.ends[index] = ends[index]!;
      });
      return false;
    };
  }
}
