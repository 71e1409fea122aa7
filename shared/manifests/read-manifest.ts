/**
 * Reads the YAML text of a manifest. Files come from strangers: anchors, aliases, tags, merge keys and duplicate keys
 * are refused, so a short file cannot grow into a huge value, and no key can hide another one. Every problem names its
 * line.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type ParsedNode } from 'yaml';
import { MANIFEST_MAX } from './manifest-head.ts';

export interface LineProblem {
  /** Line number in the file, from 1. */
  line: number;
  message: string;
}

export interface ReadManifest {
  /** The plain value of the document; undefined if the text cannot be read. */
  value: unknown;
  problems: LineProblem[];
  /** Returns the line of the value at a JSON pointer, or of the nearest value that contains it. */
  lineOf: (pointer: string) => number;
}

const MAX_DEPTH = 20;

/** Returns the JSON pointer of a property or item. */
export const pointerTo = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

export function readManifest(text: string): ReadManifest {
  if (text.length > MANIFEST_MAX) {
    return unreadable(1, `The file has more than ${MANIFEST_MAX.toLocaleString('en')} characters. Split it.`);
  }
  const counter = new LineCounter();
  let document: Document.Parsed;
  try {
    // The library finds duplicate keys by comparing each key with all others; the reader below uses a set.
    document = parseDocument(text, {
      lineCounter: counter,
      prettyErrors: false,
      uniqueKeys: false,
      version: '1.2',
      schema: 'core',
      merge: false,
      logLevel: 'error',
    });
  } catch (error) {
    if (error instanceof RangeError) return unreadable(1, NESTED);
    throw error;
  }
  const [error] = document.errors;
  const lineAt = (offset: number): number => Math.max(1, counter.linePos(offset).line);
  if (error) return unreadable(lineAt(error.pos[0]), syntaxMessage(error.code, error.message));
  if (document.contents === null)
    return unreadable(1, 'The file is empty: it needs apiVersion, kind and the fields of its kind.');
  return new NodeReader(lineAt).read(document.contents);
}

const NESTED = `Values are nested more than ${MAX_DEPTH} levels deep. No manifest needs that.`;

const unreadable = (line: number, message: string): ReadManifest => ({
  value: undefined,
  problems: [{ line, message }],
  lineOf: () => line,
});

function syntaxMessage(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'The file has several documents. Write each one into a file of its own.';
  if (message.includes('call stack')) return NESTED;
  if (code === 'TAB_AS_INDENT') return 'The line is indented with a tab. YAML allows only spaces.';
  return `The file is not valid YAML: ${message}${/[.!?]$/.test(message) ? '' : '.'} Correct this line or the one before it.`;
}

/** Converts nodes to plain values, and records their lines. */
class NodeReader {
  readonly #lineAt: (offset: number) => number;
  readonly #lines = new Map<string, number>();
  readonly #problems: LineProblem[] = [];

  constructor(lineAt: (offset: number) => number) {
    this.#lineAt = lineAt;
  }

  read(contents: ParsedNode): ReadManifest {
    const value = this.#valueOf(contents, '', 0);
    return { value, problems: this.#problems, lineOf: (pointer) => this.#lineOf(pointer) };
  }

  #lineOf(pointer: string): number {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const line = this.#lines.get(at);
      if (line !== undefined) return line;
      if (at === '') return 1;
    }
  }

  #valueOf(node: ParsedNode | null, pointer: string, depth: number): unknown {
    if (node === null) return null;
    const line = this.#lineAt(node.range[0]);
    // The line of a property is that of its key, which was recorded before.
    if (!this.#lines.has(pointer)) this.#lines.set(pointer, line);
    const refuse = (message: string): null => {
      if (this.#problems.length < 100) this.#problems.push({ line, message });
      return null;
    };
    if (depth > MAX_DEPTH) return refuse(NESTED);
    if (isAlias(node)) return refuse(`The alias *${node.source} is not allowed. Write the value itself.`);
    if (node.anchor !== undefined) return refuse(`The anchor &${node.anchor} is not allowed. Remove it.`);
    if (node.tag !== undefined) return refuse(`The tag ${node.tag} is not allowed. Remove it.`);
    if (isScalar(node)) {
      const { value } = node;
      if (typeof value === 'number' && !Number.isFinite(value))
        return refuse('This is not a number that can be stored.');
      return value;
    }
    if (isSeq(node)) {
      return node.items.map((item, index) => this.#valueOf(item as ParsedNode, pointerTo(pointer, index), depth + 1));
    }
    if (isMap(node)) return this.#mapOf(node.items as Pairs, pointer, depth);
    return refuse('This kind of value is not allowed.');
  }

  #mapOf(items: Pairs, pointer: string, depth: number): object {
    const entries = new Map<string, unknown>();
    for (const { key, value } of items) {
      const line = key ? this.#lineAt(key.range[0]) : this.#lineOf(pointer);
      const name = isScalar(key) && key.anchor === undefined && key.tag === undefined ? String(key.value) : undefined;
      if (name === undefined || name === '<<') {
        this.#problems.push({ line, message: 'A field needs a plain name before its colon.' });
      } else if (entries.has(name)) {
        const before = this.#lines.get(pointerTo(pointer, name));
        this.#problems.push({
          line,
          message: `The field ${name} is already in line ${before}. Remove one of the two.`,
        });
      } else {
        const at = pointerTo(pointer, name);
        this.#lines.set(at, line);
        entries.set(name, this.#valueOf(value, at, depth + 1));
      }
      if (this.#problems.length >= 100) break;
    }
    // Object.fromEntries defines every property, also __proto__, instead of assigning it.
    return Object.fromEntries(entries);
  }
}

type Pairs = { key: ParsedNode | null; value: ParsedNode | null }[];
