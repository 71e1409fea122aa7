/**
 * A pull scanner over the bytes of one XML part.
 *
 * Why not a general parser: without an event and an object per element, a sheet of a million cells is read several
 * times faster. Also, writing back needs the byte offsets of what it replaces, so that all other bytes stay as they
 * are. The scanner reads what spreadsheet programs write: elements, text, CDATA, comments, processing instructions. It
 * refuses a DOCTYPE, so no entity can be declared. Its tests compare it with saxes.
 */
import { READER_LIMITS } from './reader-limits.ts';
import { damaged, WorkbookFileError } from './workbook-file-error.ts';
import { endsName, GT, literal, LT, sameBytes, SLASH } from './xml-names.ts';
import type { XmlName } from './xml-names.ts';
import { decodeEntities, decodeUtf8, normaliseLineEnds } from './xml-text.ts';

export const XmlToken = { End: 0, Open: 1, Close: 2, Text: 3 } as const;

const AMP = 0x26;
const CR = 0x0d;
const NAME_SLOTS = 1024;

export class XmlScanner {
  readonly bytes: Uint8Array;
  readonly part: string;
  /** One of XmlToken. An element without content yields Open and Close, both with `selfClosing`. */
  token = 0;
  /** Name of the element of Open and Close, without its prefix. */
  name = '';
  /** With its prefix, as in the file. */
  qualifiedName = '';
  selfClosing = false;
  /** Byte offsets of the token: from '<' to after '>', or those of the text. */
  start = 0;
  end = 0;
  /** Number of open elements around the token, including the token's own. */
  depth = 0;
  attributeCount = 0;
  /** Byte offsets of the attributes of the last Open: name, and value without quotes. */
  readonly attributeNameStarts: number[] = [];
  readonly valueStarts: number[] = [];
  readonly valueEnds: number[] = [];
  /** Result of `leaf`: offsets of one piece of plain text, or `leafText` if the text had to be joined. */
  leafStart = 0;
  leafEnd = 0;
  leafText: string | null = null;

  private readonly attributeNames: XmlName[] = [];
  private readonly stack: string[] = [];
  private readonly slots: (XmlName | undefined)[] = Array.from({ length: NAME_SLOTS });
  private readonly maxDepth: number;
  private readonly maxAttributes: number;
  private position = 0;
  private closing = false;
  private cdata = false;
  private rootSeen = false;

  /** `bytes` must be UTF-8 (see `toUtf8`); `part` appears in errors. */
  constructor(bytes: Uint8Array, part: string, limits: { xmlDepth: number; xmlAttributes: number } = READER_LIMITS) {
    this.bytes = bytes;
    this.part = part;
    this.maxDepth = limits.xmlDepth;
    this.maxAttributes = limits.xmlAttributes;
  }

  /** Moves to the next token and returns it; XmlToken.End after the last one. */
  next(): number {
    if (this.closing) return this.closeSelf();
    if (this.token === XmlToken.Close) this.depth--;
    for (;;) {
      const start = this.position;
      const byte = this.bytes[start];
      if (byte === undefined) return this.finish();
      this.start = start;
      if (byte !== LT) {
        if (this.scanText(start)) return (this.token = XmlToken.Text);
        continue;
      }
      const next = this.bytes[start + 1];
      if (next === SLASH) return this.scanClose(start);
      if (next === 0x21) {
        if (this.scanDeclaration(start)) return (this.token = XmlToken.Text);
      } else if (next === 0x3f) this.position = this.find('?>', start + 2) + 2;
      else return this.scanOpen(start);
    }
  }

  /** Returns the text of a Text token. */
  text(): string {
    return this.cdata
      ? normaliseLineEnds(decodeUtf8(this.bytes, this.start + 9, this.end - 3))
      : this.decode(this.start, this.end);
  }

  /** Call at an Open token. Moves to its Close and returns the text directly inside. */
  leaf(): string {
    this.readLeaf();
    return this.lastLeaf();
  }

  /** Returns the text of the last `leaf` or `readLeaf`. */
  lastLeaf(): string {
    return this.leafText ?? decodeUtf8(this.bytes, this.leafStart, this.leafEnd);
  }

  /** Like `leaf`, but leaves plain text undecoded between `leafStart` and `leafEnd` (`leafText` is then null). */
  readLeaf(): void {
    this.leafText = null;
    this.leafStart = this.leafEnd = this.end;
    const depth = this.depth;
    let count = 0;
    for (;;) {
      const token = this.next();
      if (token === XmlToken.Close && this.depth === depth) return;
      if (token !== XmlToken.Text || this.depth !== depth) continue;
      if (count++ === 0 && !this.cdata && this.isPlain(this.start, this.end)) {
        this.leafStart = this.start;
        this.leafEnd = this.end;
      } else this.leafText = this.leafSoFar(count) + this.text();
    }
  }

  /**
   * Like `readLeaf`, but leaves one piece of text unchanged between `leafStart` and `leafEnd`, including escapes;
   * `rawLeaf` decodes it. Returns false if the text had to be joined; `leafText` then contains it.
   */
  readRawLeaf(): boolean {
    const { depth } = this;
    this.leafText = null;
    this.leafStart = this.leafEnd = this.end;
    let count = 0;
    for (;;) {
      const token = this.next();
      if (token === XmlToken.Close && this.depth === depth) return this.leafText === null;
      if (token !== XmlToken.Text || this.depth !== depth) continue;
      if (count++ === 0 && !this.cdata) {
        this.leafStart = this.start;
        this.leafEnd = this.end;
      } else this.leafText = (count === 1 ? '' : this.rawLeaf()) + this.text();
    }
  }

  /** Returns the text that `readRawLeaf` found. */
  rawLeaf(): string {
    return this.leafText ?? this.decode(this.leafStart, this.leafEnd);
  }

  /** Call at an Open token. Moves to its Close and ignores its content. */
  skip(): void {
    const depth = this.depth;
    while (this.next() !== XmlToken.Close || this.depth !== depth);
  }

  /** Returns the value of the attribute without a prefix, or undefined. */
  attribute(name: string): string | undefined {
    const index = this.attributeIndex(name);
    return index < 0 ? undefined : this.attributeValue(index);
  }

  /** Returns the value of the attribute with this local name and any prefix: 'r:id', whatever the file uses for 'r'. */
  prefixedAttribute(local: string): string | undefined {
    for (let index = 0; index < this.attributeCount; index++) {
      const name = this.attributeNames[index]!;
      if (name.local === local && name.local !== name.qualified) return this.attributeValue(index);
    }
    return undefined;
  }

  /**
   * Returns the index of an attribute in `valueStarts` and the other arrays, by its name as in the file; -1 if it is
   * missing.
   */
  attributeIndex(name: string): number {
    for (let index = 0; index < this.attributeCount; index++) {
      if (this.attributeNames[index]!.qualified === name) return index;
    }
    return -1;
  }

  attributeName(index: number): string {
    return this.attributeNames[index]!.qualified;
  }

  attributeValue(index: number): string {
    const text = decodeUtf8(this.bytes, this.valueStarts[index]!, this.valueEnds[index]!);
    // A parser converts line ends in an attribute to blanks (XML 1.0, 3.3.3).
    return decodeEntities(text.replace(/\r\n|[\t\n\r]/g, ' '), this.part);
  }

  /** Returns the value of an xsd:boolean attribute. */
  flag(name: string, otherwise = false): boolean {
    const value = this.attribute(name);
    return value === undefined ? otherwise : value === '1' || value === 'true' || value === 'on';
  }

  damaged(detail: string): WorkbookFileError {
    return damaged(`${this.part}, byte ${this.start}: ${detail}`);
  }

  private leafSoFar(count: number): string {
    return count === 1 ? '' : this.lastLeaf();
  }

  private isPlain(start: number, end: number): boolean {
    for (let at = start; at < end; at++) {
      const byte = this.bytes[at]!;
      if (byte === AMP || byte === CR) return false;
    }
    return true;
  }

  private decode(start: number, end: number): string {
    return decodeEntities(normaliseLineEnds(decodeUtf8(this.bytes, start, end)), this.part);
  }

  private finish(): number {
    this.start = this.end = this.position;
    if (this.depth > 0) throw this.damaged(`the part ends inside <${this.stack[this.depth - 1]}>`);
    if (!this.rootSeen) throw this.damaged('the part contains no XML');
    return (this.token = XmlToken.End);
  }

  private closeSelf(): number {
    this.closing = false;
    return (this.token = XmlToken.Close);
  }

  /** Returns false if the text is only white space outside the root. */
  private scanText(start: number): boolean {
    const bytes = this.bytes;
    let at = start;
    while (at < bytes.length && bytes[at] !== LT) at++;
    this.position = this.end = at;
    this.cdata = false;
    if (this.depth > 0) return true;
    for (let blank = start; blank < at; blank++) {
      const byte = bytes[blank]!;
      // Some exporters pad the end of a part with NULs.
      if (byte > 0x20 || (byte === 0 && !this.rootSeen)) throw this.damaged('there is text outside the root element');
    }
    return false;
  }

  private scanDeclaration(start: number): boolean {
    if (this.matches('<!--', start)) {
      this.position = this.find('-->', start + 4) + 3;
      return false;
    }
    if (this.matches('<![CDATA[', start) && this.depth > 0) {
      this.position = this.end = this.find(']]>', start + 9) + 3;
      this.cdata = true;
      return true;
    }
    throw new WorkbookFileError(
      'forbiddenXml',
      `The workbook was rejected: ${this.part} declares a document type or entities, which no spreadsheet program writes.`,
    );
  }

  private scanClose(start: number): number {
    const bytes = this.bytes;
    let at = start + 2;
    while (at < bytes.length && !endsName(bytes[at]!)) at++;
    const name = this.intern(start + 2, at);
    while (bytes[at]! <= 0x20) at++;
    if (bytes[at] !== GT) throw this.damaged('an end tag is not closed');
    if (this.depth === 0 || this.stack[this.depth - 1] !== name.qualified) {
      throw this.damaged(`</${name.qualified}> has no matching start tag`);
    }
    this.name = name.local;
    this.qualifiedName = name.qualified;
    this.selfClosing = false;
    this.position = this.end = at + 1;
    return (this.token = XmlToken.Close);
  }

  private scanOpen(start: number): number {
    const bytes = this.bytes;
    let at = start + 1;
    while (at < bytes.length && !endsName(bytes[at]!)) at++;
    if (at === start + 1) throw this.damaged("there is a '<' that does not start an element");
    const name = this.intern(start + 1, at);
    if (this.depth === 0 && this.rootSeen) throw this.damaged('there is a second root element');
    this.rootSeen = true;
    at = this.scanAttributes(at);
    this.selfClosing = this.closing = bytes[at] === SLASH;
    if (this.selfClosing && bytes[++at] !== GT) throw this.damaged("there is a '/' inside a tag");
    this.name = name.local;
    this.qualifiedName = name.qualified;
    this.stack[this.depth++] = name.qualified;
    if (this.depth > this.maxDepth) {
      throw new WorkbookFileError(
        'tooDeep',
        `The workbook was rejected: ${this.part} nests elements more than ${this.maxDepth} deep.`,
      );
    }
    this.position = this.end = at + 1;
    return (this.token = XmlToken.Open);
  }

  /** Returns the offset of the '/' or '>' that ends the tag. */
  private scanAttributes(from: number): number {
    const bytes = this.bytes;
    let count = 0;
    let at = from;
    for (;;) {
      while (bytes[at]! <= 0x20) at++;
      const byte = bytes[at];
      if (byte === GT || byte === SLASH) break;
      const nameStart = at;
      while (at < bytes.length && !endsName(bytes[at]!) && bytes[at] !== 0x3d) at++;
      this.attributeNames[count] = this.intern(nameStart, at);
      this.attributeNameStarts[count] = nameStart;
      while (bytes[at]! <= 0x20) at++;
      if (bytes[at++] !== 0x3d) throw this.damaged('an attribute has no value');
      while (bytes[at]! <= 0x20) at++;
      const quote = bytes[at++];
      if (quote !== 0x22 && quote !== 0x27) throw this.damaged('the value of an attribute has no quotes');
      this.valueStarts[count] = at;
      while (at < bytes.length && bytes[at] !== quote && bytes[at] !== LT) at++;
      if (bytes[at] !== quote) throw this.damaged('the value of an attribute does not end');
      this.valueEnds[count++] = at++;
      if (count > this.maxAttributes) throw this.damaged('an element has too many attributes');
    }
    this.attributeCount = count;
    return at;
  }

  /** Returns the name between two offsets. Names are cached by hash, because the same few occur again and again. */
  private intern(start: number, end: number): XmlName {
    const bytes = this.bytes;
    if (end - start > 1024) throw this.damaged('a name is longer than the format allows');
    let hash = end - start;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
    const slot = hash & (NAME_SLOTS - 1);
    const known = this.slots[slot];
    if (known && sameBytes(known.bytes, bytes, start, end)) return known;
    const qualified = literal(decodeUtf8(bytes, start, end));
    const colon = qualified.indexOf(':');
    const local = colon < 0 ? qualified : literal(qualified.slice(colon + 1));
    const name = { qualified, local, bytes: bytes.slice(start, end) };
    this.slots[slot] = name;
    return name;
  }

  private matches(text: string, at: number): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.bytes[at + index] !== text.charCodeAt(index)) return false;
    }
    return true;
  }

  private find(text: string, from: number): number {
    for (let at = from; ; at++) {
      at = this.bytes.indexOf(text.charCodeAt(0), at);
      if (at < 0) throw this.damaged(`the part ends before '${text}'`);
      if (this.matches(text, at)) return at;
    }
  }
}
