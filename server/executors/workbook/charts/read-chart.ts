/**
 * Reads a chart's cell references and the values cached for them: c:f with an adjacent numCache, strCache or
 * multiLvlStrCache (ECMA-376 part 1, 21.2.2), cx:f with its cx:lvl (MS-ODRAWXML 2.24.3), labels and filtered ranges of
 * c15 (2.16.3).
 */
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { decodeUtf8 } from '#server/calculation/reader/xml-text.ts';

/** The bytes [start, end) of the part. */
export interface Span {
  start: number;
  end: number;
}

export interface CachedPoint {
  text: string;
  format: string | null;
}

/** One level of categories, or all values. */
export interface CachedLevel {
  /** Attributes of cx:lvl that do not describe its points, as in the file. */
  attributes: string;
  format: string | null;
  count: number | null;
  points: Map<number, CachedPoint>;
}

/**
 * `numbers` and `texts` stand for numCache and similar, `levels` for multiLvlStrCache, `dimension` for the levels of
 * cx, `name` for cx:v.
 */
export interface ChartCache extends Span {
  kind: 'numbers' | 'texts' | 'levels' | 'dimension' | 'name';
  /** Name of the element, with its prefix. */
  name: string;
  levels: CachedLevel[];
  /** Extensions, as in the file. */
  rest: string;
}

export interface ChartReference {
  /** Role of the cells: 'val', 'cat', 'tx', 'bubbleSize', 'minus'… */
  role: string;
  /** Index of the series (in cx, of the data); -1 outside a series. */
  series: number;
  formula: string;
  /** Position of the formula's text. */
  text: Span;
  /** The tags of the enclosing element if its type can change: c:numRef. */
  container: { open: Span; close: Span; name: string } | null;
  /** True for cx:f dir="row": the levels are rows. */
  isByRow: boolean;
  cache: ChartCache | null;
}

export interface Chart {
  references: ChartReference[];
  /** True if cells in hidden rows and columns are not plotted. */
  plotsVisibleOnly: boolean;
}

const CACHES: ReadonlyMap<string, ChartCache['kind']> = new Map([
  ['numCache', 'numbers'],
  ['strCache', 'texts'],
  ['dlblRangeCache', 'texts'],
  ['multiLvlStrCache', 'levels'],
]);
const FILTERED: ReadonlySet<string> = new Set(['fullRef', 'levelRef', 'formulaRef']);
const DIMENSIONS: ReadonlySet<string> = new Set(['strDim', 'numDim']);

/** Throws WorkbookFileError if the part is not XML. `bytes` must be UTF-8. */
export function readChart(bytes: Uint8Array, part: string): Chart {
  return new ChartReader(bytes, part).read();
}

interface Frame extends Span {
  name: string;
  qualifiedName: string;
  /** The reference that the adjacent cache belongs to. */
  reference: ChartReference | null;
}

class ChartReader {
  private readonly xml: XmlScanner;
  private readonly stack: Frame[] = [];
  private readonly references: ChartReference[] = [];
  private series = -1;
  private lastSeries = -1;
  private plotsVisibleOnly = false;

  constructor(bytes: Uint8Array, part: string) {
    this.xml = new XmlScanner(bytes, part);
  }

  read(): Chart {
    const { xml } = this;
    for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
      if (token === XmlToken.Open) this.open();
      else if (token === XmlToken.Close) this.close();
    }
    return { references: this.references, plotsVisibleOnly: this.plotsVisibleOnly };
  }

  private open(): void {
    const { xml } = this;
    const { name, qualifiedName, start, end } = xml;
    const parent = this.stack.at(-1);
    if (parent && this.openInside(parent)) return;
    if (name === 'plotVisOnly') this.plotsVisibleOnly = xml.flag('val', true);
    if (name === 'ser' || (name === 'data' && parent?.name === 'chartData')) this.series = ++this.lastSeries;
    this.stack.push({ name, qualifiedName, start, end, reference: null });
  }

  /** Reads the relevant elements up to their end; returns false for all others. */
  private openInside(parent: Frame): boolean {
    const { xml } = this;
    const { name } = xml;
    if (name === 'f' || name === 'nf' || (name === 'sqref' && FILTERED.has(parent.name))) {
      const reference = this.readReference(parent);
      if (name === 'f') parent.reference = reference;
      this.references.push(reference);
      return true;
    }
    const { reference } = parent;
    if (!reference) return false;
    const kind = CACHES.get(name);
    if (kind) reference.cache = this.readCache(kind);
    else if (name === 'lvl' && DIMENSIONS.has(parent.name)) this.addDimension(reference);
    else if (name === 'v' && parent.name === 'txData') reference.cache = this.readName();
    else return false;
    return true;
  }

  private close(): void {
    const { xml } = this;
    const frame = this.stack.pop();
    if (!frame) return;
    if (frame.name === 'ser' || frame.name === 'data') this.series = -1;
    if (frame.name !== 'numRef' || !frame.reference) return;
    frame.reference.container = {
      open: { start: frame.start, end: frame.end },
      close: { start: xml.start, end: xml.end },
      name: frame.qualifiedName,
    };
  }

  private readReference(parent: Frame): ChartReference {
    const { xml } = this;
    const isByRow = xml.attribute('dir') === 'row';
    const start = xml.end;
    const formula = xml.leaf();
    return {
      role: this.roleIn(parent),
      series: this.series,
      formula,
      text: { start, end: Math.max(start, xml.start) },
      container: null,
      isByRow,
      cache: null,
    };
  }

  private roleIn(parent: Frame): string {
    if (parent.name === 'numDim') return 'val';
    if (parent.name === 'strDim') return 'cat';
    return parent.name.endsWith('Ref') ? (this.stack.at(-2)?.name ?? '') : parent.name;
  }

  private readCache(kind: ChartCache['kind']): ChartCache {
    const { xml } = this;
    const { start, depth, qualifiedName: name } = xml;
    const level = emptyLevel('');
    const levels = kind === 'levels' ? [] : [level];
    let rest = '';
    for (;;) {
      const token = xml.next();
      if (token === XmlToken.Close && xml.depth === depth) break;
      if (token !== XmlToken.Open) continue;
      if (xml.name === 'lvl') levels.push(this.readLevel());
      else if (xml.name === 'formatCode') level.format = xml.leaf();
      else if (xml.name === 'ptCount') level.count = Number(xml.attribute('val'));
      else if (xml.name === 'pt') this.readPoint(level);
      else rest += this.raw();
    }
    if (kind === 'levels') for (const each of levels) each.count = level.count;
    return { kind, name, start, end: xml.end, levels, rest };
  }

  private addDimension(reference: ChartReference): void {
    const { xml } = this;
    const { start, qualifiedName: name } = xml;
    const level = this.readLevel();
    const cache = (reference.cache ??= { kind: 'dimension', name, start, end: 0, levels: [], rest: '' });
    cache.levels.push(level);
    cache.end = xml.end;
  }

  private readLevel(): CachedLevel {
    const { xml } = this;
    const { depth } = xml;
    const attributes = Array.from({ length: xml.attributeCount }, (_, index) => {
      const isOurs = xml.attributeName(index) === 'ptCount' || xml.attributeName(index) === 'formatCode';
      return isOurs ? '' : ` ${decodeUtf8(xml.bytes, xml.attributeNameStarts[index]!, xml.valueEnds[index]! + 1)}`;
    });
    const level = emptyLevel(attributes.join(''));
    level.format = xml.attribute('formatCode') ?? null;
    const count = xml.attribute('ptCount');
    level.count = count === undefined ? null : Number(count);
    for (;;) {
      const token = xml.next();
      if (token === XmlToken.Close && xml.depth === depth) return level;
      if (token === XmlToken.Open && xml.name === 'pt') this.readPoint(level);
    }
  }

  /** c:pt has its text in c:v, cx:pt directly. */
  private readPoint(level: CachedLevel): void {
    const { xml } = this;
    const { depth } = xml;
    const index = Number(xml.attribute('idx'));
    const format = xml.attribute('formatCode') ?? null;
    let text = '';
    for (;;) {
      const token = xml.next();
      if (token === XmlToken.Close && xml.depth === depth) break;
      if (token === XmlToken.Text && xml.depth <= depth + 1) text += xml.text();
    }
    level.points.set(index, { text, format });
  }

  private readName(): ChartCache {
    const { xml } = this;
    const { start, qualifiedName: name } = xml;
    const level = emptyLevel('');
    level.points.set(0, { text: xml.leaf(), format: null });
    level.count = 1;
    return { kind: 'name', name, start, end: xml.end, levels: [level], rest: '' };
  }

  private raw(): string {
    const { xml } = this;
    const { start } = xml;
    xml.skip();
    return decodeUtf8(xml.bytes, start, xml.end);
  }
}

const emptyLevel = (attributes: string): CachedLevel => ({
  attributes,
  format: null,
  count: null,
  points: new Map(),
});
