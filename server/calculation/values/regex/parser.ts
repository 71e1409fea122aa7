/** Parses regular expressions of the PCRE2 dialect. */
import { escapeSet, ignoringCase, isLineEnd, not, posixSet, propertySet, type CharacterTest } from './classes.ts';
import { RegexSyntaxError, type Mode, type RegexNode, type RegexTree } from './syntax.ts';

interface Flags {
  ignoreCase: boolean;
  lines: boolean;
  dotAll: boolean;
  extended: boolean;
}

const MAX_LENGTH = 8_192;
const MAX_NESTING = 100;
const MAX_REPEATS = 65_535;
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, f: 12, r: 13, e: 27, a: 7 };
const ANCHORS: Readonly<Record<string, 'textStart' | 'textEnd' | 'lastLine' | 'word' | 'noWord'>> = {
  A: 'textStart',
  G: 'textStart',
  z: 'textEnd',
  Z: 'lastLine',
  b: 'word',
  B: 'noWord',
};

/** Throws RegexSyntaxError. */
export function parseRegex(pattern: string, ignoreCase: boolean): RegexTree {
  return new RegexParser(pattern, ignoreCase).parse();
}

class RegexParser {
  private readonly text: string;
  private pos = 0;
  private groups = 0;
  private depth = 0;
  private readonly names = new Map<string, number>();
  private flags: Flags;

  constructor(text: string, ignoreCase: boolean) {
    this.text = text;
    this.flags = { ignoreCase, lines: false, dotAll: false, extended: false };
  }

  parse(): RegexTree {
    if (this.text.length > MAX_LENGTH) throw new RegexSyntaxError('Too long');
    const root = this.choice();
    if (this.pos < this.text.length) throw new RegexSyntaxError('Unmatched )');
    const largest = largestReference(root);
    if (largest > this.groups) throw new RegexSyntaxError(`There is no group ${largest}`);
    return { root, groups: this.groups, names: this.names };
  }

  private choice(): RegexNode {
    this.depth += 1;
    if (this.depth > MAX_NESTING) throw new RegexSyntaxError('Nested too deep');
    const options = [this.sequence()];
    while (this.text[this.pos] === '|') {
      this.pos += 1;
      options.push(this.sequence());
    }
    this.depth -= 1;
    return options.length === 1 ? options[0]! : { type: 'choice', options };
  }

  private sequence(): RegexNode {
    const items: RegexNode[] = [];
    for (;;) {
      if (this.flags.extended) this.skipBlanks();
      const char = this.text[this.pos];
      if (char === undefined || char === '|' || char === ')') break;
      const atom = this.atom();
      if (atom) items.push(this.quantified(atom));
    }
    return items.length === 1 ? items[0]! : { type: 'sequence', items };
  }

  private skipBlanks(): void {
    const blanks = /(?:\s|#[^\n]*)*/y;
    blanks.lastIndex = this.pos;
    this.pos += blanks.exec(this.text)![0].length;
  }

  private quantified(atom: RegexNode): RegexNode {
    if (this.flags.extended) this.skipBlanks();
    const match = this.take(/(?:([*+?])|\{(\d*)(,?)(\d*)\})([?+]?)/y);
    if (!match || (match[1] === undefined && match[2] === '' && match[4] === '')) {
      if (match) this.pos -= match[0].length;
      return atom;
    }
    const [, sign, low, comma, high, suffix] = match;
    let min = sign === '+' ? 1 : sign ? 0 : Number(low);
    let max = sign === '?' ? 1 : sign ? Infinity : comma ? (high === '' ? Infinity : Number(high)) : min;
    if (min > MAX_REPEATS || (max !== Infinity && max > MAX_REPEATS)) throw new RegexSyntaxError('Too many repeats');
    if (max < min) throw new RegexSyntaxError('Repeats out of order');
    // Repeating an atom without width matches nothing new.
    if (atom.type === 'anchor' || atom.type === 'look' || atom.type === 'keep') [min, max] = [Math.min(min, 1), 1];
    const mode: Mode = suffix === '?' ? 'lazy' : suffix === '+' ? 'possessive' : 'greedy';
    const repeat: RegexNode = { type: 'repeat', body: atom, min, max, mode };
    return this.quantified(repeat);
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.pos;
    const match = pattern.exec(this.text);
    if (match) this.pos += match[0].length;
    return match;
  }

  /** Returns null if the atom only changes how the rest is parsed. */
  private atom(): RegexNode | null {
    const code = this.text.codePointAt(this.pos)!;
    const char = String.fromCodePoint(code);
    this.pos += char.length;
    switch (char) {
      case '(':
        return this.group();
      case '[':
        return this.set(this.characterClass());
      case '.':
        return { type: 'set', test: this.flags.dotAll ? () => true : (point) => point !== 10, isDot: true };
      case '^':
        return { type: 'anchor', kind: 'start', lines: this.flags.lines };
      case '$':
        return { type: 'anchor', kind: 'end', lines: this.flags.lines };
      case '*':
      case '+':
      case '?':
        throw new RegexSyntaxError(`Nothing to repeat before ${char}`);
      case '\\':
        return this.escape();
      default:
        return this.literal(code);
    }
  }

  private set(test: CharacterTest): RegexNode {
    return { type: 'set', test: this.flags.ignoreCase ? ignoringCase(test) : test };
  }

  private literal(code: number): RegexNode {
    return this.set((point) => point === code);
  }

  private group(): RegexNode | null {
    if (this.take(/\?#[^)]*\)/y)) return null;
    const outer = { ...this.flags };
    const flags = this.take(/\?([imsxn]*)(?:-([imsxn]*))?([:)])/y);
    if (flags) {
      this.setFlags(flags[1]!, true);
      this.setFlags(flags[2] ?? '', false);
      // '(?i)' applies to the end of the surrounding group.
      if (flags[3] === ')') return null;
      return this.closed(this.choice(), outer);
    }
    const look = this.take(/\?(<?)([=!])/y);
    if (look) {
      const body = this.closed(this.choice(), outer);
      return { type: 'look', body, behind: look[1] === '<', negated: look[2] === '!' };
    }
    if (this.take(/\?>/y)) return { type: 'atomic', body: this.closed(this.choice(), outer) };
    const named = this.take(/\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/y);
    if (!named && this.text[this.pos] === '?') throw new RegexSyntaxError('This kind of group is not supported');
    this.groups += 1;
    const index = this.groups;
    if (named) this.names.set((named[1] ?? named[2])!, index);
    return { type: 'capture', index, body: this.closed(this.choice(), outer) };
  }

  private closed(body: RegexNode, outer: Flags): RegexNode {
    if (this.text[this.pos] !== ')') throw new RegexSyntaxError('Missing )');
    this.pos += 1;
    this.flags = outer;
    return body;
  }

  private setFlags(letters: string, on: boolean): void {
    for (const letter of letters) {
      if (letter === 'i') this.flags.ignoreCase = on;
      else if (letter === 'm') this.flags.lines = on;
      else if (letter === 's') this.flags.dotAll = on;
      else if (letter === 'x') this.flags.extended = on;
      else throw new RegexSyntaxError(`The option ${letter} is not supported`);
    }
  }

  private escape(): RegexNode | null {
    const quoted = this.take(/Q([^]*?)(?:\\E|$)/y);
    if (quoted) {
      const items = Array.from(quoted[1]!, (char) => this.literal(char.codePointAt(0)!));
      return { type: 'sequence', items };
    }
    if (this.take(/E/y)) return null;
    if (this.take(/K/y)) return { type: 'keep' };
    if (this.take(/R/y)) return lineBreak();
    const anchor = this.take(/[AGzZbB]/y);
    if (anchor) return { type: 'anchor', kind: ANCHORS[anchor[0]]!, lines: false };
    const reference = this.reference();
    if (reference !== null) return { type: 'reference', index: reference, ignoreCase: this.flags.ignoreCase };
    const set = this.escapedSet();
    return set ? this.set(set) : this.literal(this.escapedCode());
  }

  private reference(): number | null {
    const numbered = this.take(/([1-9]\d?)|g(-?\d+)|g\{(-?\d+)\}/y);
    if (numbered) {
      const number = Number(numbered[1] ?? numbered[2] ?? numbered[3]);
      return number < 0 ? this.groups + 1 + number : number;
    }
    const named = this.take(/(?:k<(\w+)>|k\{(\w+)\}|k'(\w+)'|g\{([A-Za-z_]\w*)\})/y);
    if (!named) return null;
    const index = this.names.get((named[1] ?? named[2] ?? named[3] ?? named[4])!);
    if (index === undefined) throw new RegexSyntaxError('There is no group of this name');
    return index;
  }

  private escapedSet(): CharacterTest | null {
    const property = this.take(/([pP])(?:\{([^}]+)\}|([A-Z]))/y);
    if (property) {
      const set = propertySet((property[2] ?? property[3])!);
      return property[1] === 'P' ? not(set) : set;
    }
    const letter = this.text[this.pos] ?? '';
    const set = escapeSet(letter);
    if (!set) return null;
    this.pos += 1;
    return set;
  }

  /** Returns the code point of an escape for one character. */
  private escapedCode(): number {
    const hex = this.take(/x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{0,2}))/y);
    if (hex) return Number.parseInt((hex[1] ?? hex[2]) || '0', 16);
    const octal = this.take(/o\{([0-7]+)\}|(0[0-7]{0,2})/y);
    if (octal) return Number.parseInt((octal[1] ?? octal[2])!, 8);
    const control = this.take(/c([ -~])/y);
    if (control) return control[1]!.toUpperCase().charCodeAt(0) ^ 64;
    const code = this.text.codePointAt(this.pos);
    if (code === undefined) throw new RegexSyntaxError('\\ at the end');
    const char = String.fromCodePoint(code);
    this.pos += char.length;
    if (CONTROLS[char] !== undefined) return CONTROLS[char];
    if (/[A-Za-z0-9]/.test(char)) throw new RegexSyntaxError(`Unknown escape \\${char}`);
    return code;
  }

  private characterClass(): CharacterTest {
    const negated = this.take(/\^/y) !== null;
    const tests: CharacterTest[] = [];
    for (let first = true; ; first = false) {
      if (this.pos >= this.text.length) throw new RegexSyntaxError('Missing ]');
      if (!first && this.text[this.pos] === ']') break;
      tests.push(this.classItem());
    }
    this.pos += 1;
    const any: CharacterTest = (code) => tests.some((test) => test(code));
    return negated ? not(this.flags.ignoreCase ? ignoringCase(any) : any) : any;
  }

  private classItem(): CharacterTest {
    const posix = this.take(/\[:(\^?\w+):\]/y);
    if (posix) return posixSet(posix[1]!);
    const low = this.classCharacter();
    if (typeof low !== 'number') return low;
    if (this.text[this.pos] !== '-' || this.text[this.pos + 1] === ']' || this.pos + 1 >= this.text.length) {
      return (code) => code === low;
    }
    this.pos += 1;
    const high = this.classCharacter();
    if (typeof high !== 'number') return (code) => code === low || code === 45 || high(code);
    if (high < low) throw new RegexSyntaxError('Range out of order');
    return (code) => code >= low && code <= high;
  }

  private classCharacter(): number | CharacterTest {
    if (this.take(/\\b/y)) return 8;
    if (this.take(/\\/y)) return this.escapedSet() ?? this.escapedCode();
    const code = this.text.codePointAt(this.pos)!;
    this.pos += code > 0xffff ? 2 : 1;
    return code;
  }
}

function lineBreak(): RegexNode {
  const one = (code: number): RegexNode => ({ type: 'set', test: (point) => point === code });
  const pair: RegexNode = { type: 'sequence', items: [one(13), one(10)] };
  return { type: 'atomic', body: { type: 'choice', options: [pair, { type: 'set', test: isLineEnd }] } };
}

function largestReference(node: RegexNode): number {
  switch (node.type) {
    case 'reference':
      return node.index;
    case 'sequence':
      return Math.max(0, ...node.items.map(largestReference));
    case 'choice':
      return Math.max(0, ...node.options.map(largestReference));
    case 'capture':
    case 'repeat':
    case 'look':
    case 'atomic':
      return largestReference(node.body);
    default:
      return 0;
  }
}
