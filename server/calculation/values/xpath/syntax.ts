/** Parses XPath 1.0 expressions to trees. Source: W3C, 'XML Path Language (XPath) Version 1.0', chapters 2 and 3. */

export type Axis =
  | 'child'
  | 'descendant'
  | 'parent'
  | 'ancestor'
  | 'following-sibling'
  | 'preceding-sibling'
  | 'following'
  | 'preceding'
  | 'attribute'
  | 'self'
  | 'descendant-or-self'
  | 'ancestor-or-self';

export interface Step {
  axis: Axis;
  /** A name, '*', or 'node()' and 'text()'. */
  test: string;
  predicates: XPath[];
}

export type BinaryXPath = 'or' | 'and' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | 'div' | 'mod' | '|';

export type XPath =
  | { type: 'number'; value: number }
  | { type: 'text'; value: string }
  | { type: 'call'; name: string; args: XPath[] }
  | { type: 'negative'; operand: XPath }
  | { type: 'binary'; operator: BinaryXPath; left: XPath; right: XPath }
  /** If `from` is null, the path starts at the context node, or at the root of the document if `isAbsolute`. */
  | { type: 'path'; from: XPath | null; isAbsolute: boolean; predicates: XPath[]; steps: Step[] };

const AXES: ReadonlySet<string> = new Set<Axis>([
  'child',
  'descendant',
  'parent',
  'ancestor',
  'following-sibling',
  'preceding-sibling',
  'following',
  'preceding',
  'attribute',
  'self',
  'descendant-or-self',
  'ancestor-or-self',
]);

const TOKEN =
  /\s*(\/\/|::|\.\.|!=|<=|>=|[()[\]@,|+\-=<>/*.](?!\d)|\.?\d+(?:\.\d*)?|"[^"]*"|'[^']*'|[\p{L}_][\p{L}\p{N}_.-]*(?::(?!:)(?:[\p{L}_][\p{L}\p{N}_.-]*|\*))?|[()[\]@,|+\-=<>/*])/uy;
/** Maximum nesting of parentheses and predicates. */
const MAX_DEPTH = 60;
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', 'div', 'mod'],
];

/** Returns the tree; null if the text is not an expression. */
export function parseXPath(text: string): XPath | null {
  const tokens = tokensOf(text);
  if (!tokens) return null;
  const parser = new Parser(tokens);
  try {
    const tree = parser.level(0);
    return parser.isAtEnd() ? tree : null;
  } catch (error) {
    if (error instanceof XPathError) return null;
    throw error;
  }
}

class XPathError extends Error {}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const { length } = text.trimEnd();
  while (TOKEN.lastIndex < length) {
    const match = TOKEN.exec(text);
    if (!match) return null;
    tokens.push(match[1]!);
  }
  return tokens;
}

class Parser {
  private readonly tokens: readonly string[];
  private at = 0;
  private depth = 0;

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  level(index: number): XPath {
    if (index === LEVELS.length) return this.unary();
    let left = this.level(index + 1);
    for (;;) {
      const operator = this.peek();
      if (operator === undefined || !LEVELS[index]!.includes(operator)) return left;
      this.at += 1;
      left = { type: 'binary', operator: operator as BinaryXPath, left, right: this.level(index + 1) };
    }
  }

  private peek(): string | undefined {
    return this.tokens[this.at];
  }

  private takes(token: string): boolean {
    if (this.peek() !== token) return false;
    this.at += 1;
    return true;
  }

  private expect(token: string): void {
    if (!this.takes(token)) throw new XPathError(`${token} is expected`);
  }

  private unary(): XPath {
    let isNegative = false;
    let signs = 0;
    while (this.takes('-')) {
      isNegative = !isNegative;
      signs += 1;
    }
    let operand = this.path();
    while (this.takes('|')) operand = { type: 'binary', operator: '|', left: operand, right: this.path() };
    if (signs === 0) return operand;
    const negative: XPath = { type: 'negative', operand };
    return isNegative ? negative : { type: 'negative', operand: negative };
  }

  private path(): XPath {
    const token = this.peek();
    if (token === undefined) throw new XPathError('an expression is expected');
    if (token === '/' || token === '//') return this.absolute();
    const from = this.primary(token);
    if (!from) return { type: 'path', from: null, isAbsolute: false, predicates: [], steps: this.steps([this.step()]) };
    const predicates = this.predicates();
    if (predicates.length === 0 && this.peek() !== '/' && this.peek() !== '//') return from;
    return { type: 'path', from, isAbsolute: false, predicates, steps: this.steps([]) };
  }

  private absolute(): XPath {
    const isDeep = this.takes('//');
    if (!isDeep) this.at += 1;
    const steps: Step[] = isDeep ? [anywhere(), this.step()] : this.beginsStep() ? [this.step()] : [];
    return { type: 'path', from: null, isAbsolute: true, predicates: [], steps: this.steps(steps) };
  }

  private beginsStep(): boolean {
    return /^(?:\.\.?|@|\*|[\p{L}_].*)$/u.test(this.peek() ?? '');
  }

  private steps(steps: Step[]): Step[] {
    for (;;) {
      if (this.takes('//')) steps.push(anywhere(), this.step());
      else if (this.takes('/')) steps.push(this.step());
      else return steps;
    }
  }

  /** Parses a number, text, call or parenthesis; null if a step begins. */
  private primary(token: string): XPath | null {
    if (/^[.\d]*\d/.test(token)) {
      this.at += 1;
      return { type: 'number', value: Number(token) };
    }
    if (token.startsWith('"') || token.startsWith("'")) {
      this.at += 1;
      return { type: 'text', value: token.slice(1, -1) };
    }
    if (this.takes('(')) return this.nested(() => this.level(0), ')');
    const isCall = this.tokens[this.at + 1] === '(' && token !== 'text' && token !== 'node' && /^[\p{L}_]/u.test(token);
    if (!isCall) return null;
    this.at += 2;
    const args: XPath[] = [];
    if (this.takes(')')) return { type: 'call', name: token, args };
    do args.push(this.nested(() => this.level(0)));
    while (this.takes(','));
    this.expect(')');
    return { type: 'call', name: token, args };
  }

  private nested(parse: () => XPath, close?: string): XPath {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new XPathError('too deep');
    const tree = parse();
    if (close) this.expect(close);
    this.depth -= 1;
    return tree;
  }

  private predicates(): XPath[] {
    const predicates: XPath[] = [];
    while (this.takes('[')) predicates.push(this.nested(() => this.level(0), ']'));
    return predicates;
  }

  private step(): Step {
    if (this.takes('..')) return { axis: 'parent', test: 'node()', predicates: [] };
    if (this.takes('.')) return { axis: 'self', test: 'node()', predicates: [] };
    let axis: Axis = 'child';
    if (this.takes('@')) axis = 'attribute';
    else if (this.tokens[this.at + 1] === '::') {
      const name = this.peek()!;
      if (!AXES.has(name)) throw new XPathError(`${name} is no axis`);
      axis = name as Axis;
      this.at += 2;
    }
    return { axis, test: this.test(), predicates: this.predicates() };
  }

  private test(): string {
    const token = this.peek() ?? '';
    if (!/^(?:\*|[\p{L}_].*)$/u.test(token)) throw new XPathError('a name is expected');
    this.at += 1;
    if (!this.takes('(')) return token;
    this.expect(')');
    if (token !== 'text' && token !== 'node') throw new XPathError(`${token} is no kind of node`);
    return `${token}()`;
  }
}

const anywhere = (): Step => ({ axis: 'descendant-or-self', test: 'node()', predicates: [] });
