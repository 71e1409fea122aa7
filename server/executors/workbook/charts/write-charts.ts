/**
 * Updates charts after a run: their formulas follow the resized tables, and their caches are rewritten from the
 * results. Only these formulas and caches change; all other bytes of the part stay as they are.
 */
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import { toUtf8 } from '#server/calculation/reader/xml-text.ts';
import { escapeXml } from '#shared/codecs/xml-escapes.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { blockReference } from '#server/calculation/syntax/areas.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import { applyEdits } from '../byte-edits.ts';
import type { ByteEdit } from '../byte-edits.ts';
import type { ChangeSet } from '../change-set.ts';
import { followTable } from '../grown-references.ts';
import type { ResizedTable } from '../grown-references.ts';
import type { WorkbookPackage } from '../package.ts';
import { cacheXml, cellCount, isHidden, levelOf, pointBudget, readLine, sameLevels } from './cached-points.ts';
import type { CellReader, PointBudget } from './cached-points.ts';
import { chartParts } from './chart-parts.ts';
import { readChart } from './read-chart.ts';
import type { CachedLevel, Chart, ChartCache, ChartReference } from './read-chart.ts';
import { NO_CELL, parseReference, ReferenceAreas } from './reference-areas.ts';

/** Reports what could not be updated, in a sentence for the author of the workbook. */
export type Notice = (message: string) => void;

export function writeCharts(
  source: WorkbookPackage,
  changes: ChangeSet,
  resized: readonly ResizedTable[],
  changed: Map<string, Uint8Array | null>,
  notice: Notice,
): void {
  const areas = new ReferenceAreas(changes.model, resized);
  const budget = pointBudget();
  for (const { path, sheet } of chartParts(source, changes.model)) {
    const part = source.part(path);
    if (!part) continue;
    const name = `The chart ${path} on sheet '${sheet}'`;
    try {
      const bytes = toUtf8(part, path);
      const edits = new ChartWriter(readChart(bytes, path), { changes, resized, areas, budget }).edits();
      if (edits.unread !== null) notice(`${name} keeps old numbers until it is opened: ${edits.unread}`);
      if (edits.changes.length > 0) changed.set(path.toLowerCase(), applyEdits(bytes, edits.changes));
    } catch (error) {
      if (!(error instanceof WorkbookFileError)) throw error;
      notice(`${name} stays as it is in the file: ${error.message}`);
    }
  }
}

interface WriterEnvironment {
  changes: ChangeSet;
  resized: readonly ResizedTable[];
  areas: ReferenceAreas;
  budget: PointBudget;
}

interface Followed {
  tree: Node;
  hasChanged: boolean;
  areas: SheetBlock[] | null;
}

class ChartWriter {
  private readonly chart: Chart;
  private readonly environment: WriterEnvironment;
  /** Series whose values are arranged in a row instead of a column. */
  private readonly byRow: ReadonlySet<number>;
  private readonly changes: ByteEdit[] = [];
  private unread: string | null = null;

  constructor(chart: Chart, environment: WriterEnvironment) {
    this.chart = chart;
    this.environment = environment;
    this.byRow = new Set(
      chart.references
        .filter((reference) => isValues(reference) && this.isOneRow(reference))
        .map(({ series }) => series),
    );
  }

  /** `unread` reports the first formula whose cells cannot be determined. */
  edits(): { changes: ByteEdit[]; unread: string | null } {
    for (const reference of this.chart.references) this.write(reference);
    return { changes: this.changes.sort((a, b) => a.start - b.start), unread: this.unread };
  }

  private write(reference: ChartReference): void {
    const tree = reference.formula.trim() === '' ? null : parseReference(reference.formula);
    const followed = tree && this.follow(tree, reference);
    if (followed?.hasChanged) {
      this.changes.push({ ...reference.text, text: escapeXml(printFormula(followed.tree, NO_CELL)) });
    }
    const { cache } = reference;
    if (!cache || reference.formula.trim() === '') return;
    if (!followed?.areas) this.unread ??= `what '${reference.formula}' refers to cannot be determined without Excel`;
    else if (followed.areas.length > 0) this.writeCache(reference, cache, followed.areas);
  }

  private follow(tree: Node, reference: ChartReference): Followed {
    const { areas } = this.environment;
    const isRow = this.byRow.has(reference.series) && this.isOneRow(reference);
    let followed = isRow ? tree : areas.follow(tree);
    if (followed === tree && !isRow && reference.role !== 'tx' && reference.role !== 'txData') {
      followed = this.followLoneCell(tree);
    }
    return { tree: followed, hasChanged: followed !== tree, areas: areas.of(followed) };
  }

  /**
   * Grows a reference to the only row of a table column. In a formula, such a reference might mean the single cell; in
   * a chart it is a series.
   */
  private followLoneCell(tree: Node): Node {
    if (tree.type !== 'reference' || tree.shape !== 'cell') return tree;
    const [area] = this.environment.areas.of(tree) ?? [];
    for (const table of this.environment.resized) {
      if (!area || area.sheet !== table.table.sheet || area.block.top !== table.dataTop) continue;
      if (table.dataTop !== table.oldDataBottom) continue;
      const block = followTable(area.block, table);
      if (block.bottom !== area.block.bottom) return blockReference(block, tree.prefix);
    }
    return tree;
  }

  private isOneRow({ formula }: ChartReference): boolean {
    const tree = parseReference(formula);
    if (tree?.type !== 'reference' || tree.shape !== 'range') return false;
    const areas = this.environment.areas.of(tree) ?? [];
    return (
      areas.length === 1 &&
      areas[0]!.block.top === areas[0]!.block.bottom &&
      areas[0]!.block.right > areas[0]!.block.left
    );
  }

  private writeCache(reference: ChartReference, cache: ChartCache, areas: SheetBlock[]): void {
    const reader = this.readerFor(reference, cache);
    const { date1904 } = this.environment.changes.model;
    const asTexts = (): CachedLevel[] => {
      const lines = linesOf(reference, cache, areas);
      const visible = lines.length > 1 ? lines.filter((line) => !isHidden(reader, line)) : lines;
      // If the cached values include hidden levels, the file was written with hidden cells.
      const hadAll = visible.length !== lines.length && visible.length !== cache.levels.length;
      const own = hadAll ? { ...reader, skipsHidden: false } : reader;
      return (hadAll ? lines : visible).map((line, index) =>
        levelOf(readLine(own, line), false, cache.levels[index], date1904),
      );
    };
    if (!isNumeric(reference, cache)) {
      this.replace(cache, asTexts(), false);
      return;
    }
    const line = readLine(reader, areas);
    const { container } = reference;
    const isCategory = reference.role === 'cat' || reference.role === 'xVal';
    if (isCategory && container && line.cells.some(({ cell }) => typeof cell.value === 'string')) {
      const strings = (name: string): string => name.replace(/num(Ref|Cache)$/, 'str$1');
      const retag = ({ start, end }: { start: number; end: number }, slash: string): void =>
        void this.changes.push({ start, end, text: `<${slash}${strings(container.name)}>` });
      retag(container.open, '');
      retag(container.close, '/');
      const levels = [levelOf(line, false, undefined, date1904)];
      this.changes.push({
        start: cache.start,
        end: cache.end,
        text: cacheXml({ ...cache, name: strings(cache.name) }, levels),
      });
      return;
    }
    this.replace(cache, [levelOf(line, true, cache.levels[0], date1904)], true);
  }

  private replace(cache: ChartCache, levels: CachedLevel[], isNumbers: boolean): void {
    if (sameLevels(cache.levels, levels, isNumbers)) return;
    this.changes.push({ start: cache.start, end: cache.end, text: cacheXml(cache, levels) });
  }

  /** Skips hidden rows and columns if the chart says so, unless its cached values include them. */
  private readerFor({ formula }: ChartReference, cache: ChartCache): CellReader {
    const { changes, budget, areas } = this.environment;
    const tree = parseReference(formula);
    const before = (tree && areas.of(tree)) ?? [];
    const hadAll = cache.levels[0]?.count === cellCount(before);
    return { changes, budget, skipsHidden: this.chart.plotsVisibleOnly && !hadAll };
  }
}

const isValues = ({ role }: ChartReference): boolean => role === 'val' || role === 'yVal';

function isNumeric({ role }: ChartReference, { kind }: ChartCache): boolean {
  return kind === 'numbers' || (kind === 'dimension' && role === 'val');
}

/**
 * Each level of categories is a column of the area, the last column first; if the series are arranged in rows, a row.
 */
function linesOf(reference: ChartReference, cache: ChartCache, areas: SheetBlock[]): SheetBlock[][] {
  const [area] = areas;
  const isLeveled = cache.kind === 'levels' || (cache.kind === 'dimension' && cache.levels.length > 1);
  if (!isLeveled || !area || areas.length > 1) return [areas];
  const { sheet, block } = area;
  const width = block.right - block.left + 1;
  const height = block.bottom - block.top + 1;
  const isByRow = reference.isByRow || (cache.levels.length !== width && cache.levels.length === height);
  if (isByRow) {
    return Array.from({ length: height }, (_, index) => {
      const row = block.bottom - index;
      return [{ sheet, block: { ...block, top: row, bottom: row } }];
    });
  }
  return Array.from({ length: width }, (_, index) => {
    const col = block.right - index;
    return [{ sheet, block: { ...block, left: col, right: col } }];
  });
}
