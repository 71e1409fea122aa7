/**
 * Parses formulas as .xlsx files contain them: English function names, ',' between arguments, '_xlfn.' prefixes. Uses
 * operator precedence climbing (Pratt). Nesting and length are limited, so no text can exhaust the stack.
 */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { BinaryOperator, Node, SheetPrefix } from './ast.ts';
import { BINARY_BINDING, BINDING } from './ast.ts';
import type { OpenFormula } from './open-formula.ts';
import { ParseError } from './parse-error.ts';
import { parseArray } from './parse-array.ts';
import { parseOperandWord, parseQuotedPrefix, parseAfterPrefix } from './parse-operand.ts';
import { errorLiteral, isSpaceCode, isWordCode, numberText, quoted, wordEnd } from './scanner.ts';
import { parseBrackets } from './structured-reference.ts';

/** Excel allows 64 levels of functions and 8,192 displayed characters; file prefixes make the stored text longer. */
const MAX_NESTING = 200;
const MAX_LENGTH = 32_768;
/** Maximum number of operators in a chain (1+1+1…): the tree leans left and is as deep as the chain is long. */
const MAX_OPERATORS = 4_096;

/**
 * Returns the tree of a formula without its '='. `base` is its cell: relative references become distances from it.
 * Throws ParseError.
 */
export function parseFormula(text: string, base: CellPosition): Node {
  return new FormulaParser(text, base).parse();
}

class FormulaParser implements OpenFormula {
  readonly text: string;
  readonly base: CellPosition;
  pos = 0;
  private depth = 0;

  constructor(text: string, base: CellPosition) {
    this.text = text;
    this.base = base;
  }

  parse(): Node {
    if (this.text.length > MAX_LENGTH) throw new ParseError(`A formula is longer than ${MAX_LENGTH} characters`, 0);
    // At the top level, ',' is the union of references: print areas and titles are such names.
    const node = this.expression(0, true);
    this.skipSpaces();
    if (this.pos < this.text.length) throw this.unexpected();
    return node;
  }

  private expression(binding: number, unions: boolean): Node {
    this.depth += 1;
    if (this.depth > MAX_NESTING)
      throw new ParseError(`A formula is nested deeper than ${MAX_NESTING} levels`, this.pos);
    this.skipSpaces();
    let left = this.prefix(unions);
    for (let operators = 0; ; operators += 1) {
      const next = this.infix(left, binding, unions);
      if (!next) break;
      if (operators === MAX_OPERATORS) {
        throw new ParseError(`A formula has more than ${MAX_OPERATORS} operators in a row`, this.pos);
      }
      left = next;
    }
    this.depth -= 1;
    return left;
  }

  /** Extends `left` by one operator that binds tighter than `binding`; null if there is none. */
  private infix(left: Node, binding: number, unions: boolean): Node | null {
    const start = this.pos;
    this.skipSpaces();
    const spaced = this.pos > start;
    const char = this.text[this.pos];
    if (char === undefined) return null;
    if (char === '%' && BINDING.percent > binding) {
      this.pos += 1;
      return { type: 'postfix', operator: '%', operand: left };
    }
    if (char === '#' && !spaced) {
      this.pos += 1;
      return { type: 'postfix', operator: '#', operand: left };
    }
    if (char === '(' && !spaced && (left.type === 'call' || left.type === 'invoke' || isVariable(left))) {
      return { type: 'invoke', callee: left, args: this.args() };
    }
    const operator = this.binaryOperator(char, spaced, unions);
    if (operator === null || BINARY_BINDING[operator] <= binding) {
      this.pos = start;
      return null;
    }
    if (operator !== ' ') this.pos += operator.length;
    const right = this.expression(BINARY_BINDING[operator], unions);
    return { type: 'binary', operator, left, right };
  }

  private binaryOperator(char: string, spaced: boolean, unions: boolean): BinaryOperator | null {
    switch (char) {
      case '+':
      case '-':
      case '*':
      case '/':
      case '^':
      case '&':
      case '=':
      case ':':
        return char;
      case '<': {
        const next = this.text[this.pos + 1];
        return next === '>' ? '<>' : next === '=' ? '<=' : '<';
      }
      case '>':
        return this.text[this.pos + 1] === '=' ? '>=' : '>';
      case ',':
        return unions ? ',' : null;
      default:
        return spaced && ("'[(#!".includes(char) || isWordCode(char.charCodeAt(0))) ? ' ' : null;
    }
  }

  private prefix(unions: boolean): Node {
    const char = this.text[this.pos];
    switch (char) {
      case undefined:
        throw new ParseError('The formula ends where a value is expected', this.pos);
      case '(':
        return this.parenthesis();
      case '+':
      case '-':
        this.pos += 1;
        return { type: 'unary', operator: char, operand: this.expression(BINDING.sign, unions) };
      case '@':
        this.pos += 1;
        return { type: 'unary', operator: '@', operand: this.expression(BINDING.implicit, unions) };
      case '"': {
        const { value, end } = quoted(this.text, this.pos);
        this.pos = end;
        return { type: 'text', value };
      }
      case '{':
        return parseArray(this);
      case '#':
        return this.errorValue();
      case "'":
        return parseQuotedPrefix(this);
      case '!':
        this.pos += 1;
        return parseAfterPrefix(this, { book: null, first: null, last: null });
      case '[':
        return this.bracket();
      default:
        return this.numberOrWord();
    }
  }

  private parenthesis(): Node {
    this.pos += 1;
    const node = this.expression(0, true);
    this.expect(')');
    return node;
  }

  errorValue(): Node {
    const code = errorLiteral(this.text, this.pos);
    if (!code) throw this.unexpected();
    this.pos += code.length;
    // '#REF!A1' and '#REF!$B:$C' are references to a deleted sheet.
    if (code === '#REF!') {
      const end = wordEnd(this.text, this.pos);
      this.pos = end > this.pos && this.text[end] === ':' ? wordEnd(this.text, end + 1) : end;
    }
    return { type: 'error', code };
  }

  /** Parses '[1]Sheet1!A1', '[1]!name', or the brackets of a table reference within its own table. */
  private bracket(): Node {
    const book = /\[([^\][]+)\]([^\][!'"(),;{}<>=&*/+^ -]*)!/y;
    book.lastIndex = this.pos;
    const match = book.exec(this.text);
    if (match) {
      this.pos += match[0].length;
      return parseAfterPrefix(this, sheetSpan(match[1]!, match[2]!));
    }
    const { inside, end } = parseBrackets(this.text, this.pos);
    this.pos = end;
    return { type: 'structured', prefix: null, table: null, ...inside };
  }

  private numberOrWord(): Node {
    const code = this.text.charCodeAt(this.pos);
    if (!isWordCode(code)) throw this.unexpected();
    const digits = (code >= 48 && code <= 57) || code === 46 ? numberText(this.text, this.pos) : '';
    if (digits !== '') {
      const end = wordEnd(this.text, this.pos);
      const after = this.text[end];
      // '1:3' and '1.:3' are rows, and '2019!A1' is a sheet written without quotes.
      if (after !== '!' && !(after === ':' && /^\d+\.?$/.test(digits))) {
        const value = Number(digits);
        if (!Number.isFinite(value)) throw new ParseError('A number is too large', this.pos);
        this.pos += digits.length;
        return { type: 'number', value };
      }
    }
    return parseOperandWord(this);
  }

  /** Reads the arguments from the opening parenthesis to the closing one. */
  args(): Node[] {
    this.pos += 1;
    const args: Node[] = [];
    this.skipSpaces();
    if (this.text[this.pos] === ')') {
      this.pos += 1;
      return args;
    }
    for (;;) {
      this.skipSpaces();
      const char = this.text[this.pos];
      args.push(char === ',' || char === ')' ? { type: 'missing' } : this.expression(0, false));
      this.skipSpaces();
      if (this.text[this.pos] !== ',') break;
      this.pos += 1;
    }
    this.expect(')');
    return args;
  }

  skipSpaces(): void {
    while (this.pos < this.text.length && isSpaceCode(this.text.charCodeAt(this.pos))) this.pos += 1;
  }

  expect(char: string): void {
    this.skipSpaces();
    if (this.text[this.pos] !== char) throw new ParseError(`A ${char} is expected`, this.pos);
    this.pos += 1;
  }

  unexpected(): ParseError {
    const char = this.text[this.pos];
    return char === undefined
      ? new ParseError('The formula ends too early', this.pos)
      : new ParseError(`Unexpected ${char}`, this.pos);
  }
}

function isVariable(node: Node): boolean {
  return node.type === 'name' && node.variable;
}

/** 'Jan:Dec' within one pair of quotes or before one '!' is a span of sheets. */
function sheetSpan(book: string | null, sheets: string): SheetPrefix {
  const colon = sheets.indexOf(':');
  if (sheets === '') return { book, first: null, last: null };
  if (colon < 0) return { book, first: sheets, last: null };
  return { book, first: sheets.slice(0, colon), last: sheets.slice(colon + 1) };
}
