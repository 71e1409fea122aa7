/** Finds everything in a workbook file that refers to cells by coordinates, for planning to move cells. */
import { Scope } from '#server/calculation/graph/scope.ts';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { readRelationships, requirePart } from '#server/calculation/reader/relationships.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { toUtf8 } from '#server/calculation/reader/xml-text.ts';
import { workbookPath } from '#server/calculation/reader/read-workbook.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { referencesOf } from '#server/calculation/tables/insert-cells.ts';
import { formatCell, parseBlock } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { chartParts } from '../charts/chart-parts.ts';
import { readChart } from '../charts/read-chart.ts';
import { NO_CELL } from '../charts/reference-areas.ts';
import type { WorkbookPackage } from '../package.ts';
import { around } from './moved-formulas.ts';
import { isBuiltIn } from './moved-names.ts';
import { placedRecords, treeOf } from './placed-records.ts';
import { readSheetRanges } from './sheet-rules.ts';
import type { SheetRanges } from './sheet-rules.ts';

export interface PlacedReference {
  sheets: readonly number[];
  block: CellBlock;
  isColumns: boolean;
  /** Description of its owner: "the formula in cell B7 of sheet 'S'". */
  what: string;
}

export interface WorkbookReferences {
  found: PlacedReference[];
  /** Description of the first formula that cannot be read; null if all can. */
  unread: string | null;
  /** By sheet. */
  ranges: SheetRanges[];
}

const known = new WeakMap<WorkbookModel, WorkbookReferences>();

/** Cached per workbook model. */
export function readReferences(source: WorkbookPackage, model: WorkbookModel): WorkbookReferences {
  let references = known.get(model);
  if (!references) known.set(model, (references = new ReferenceReader(source, model).read()));
  return references;
}

class ReferenceReader {
  private readonly source: WorkbookPackage;
  private readonly model: WorkbookModel;
  private readonly scope: Scope;
  private readonly found: PlacedReference[] = [];
  private unread: string | null = null;

  constructor(source: WorkbookPackage, model: WorkbookModel) {
    this.source = source;
    this.model = model;
    this.scope = new Scope(model);
  }

  read(): WorkbookReferences {
    this.readCells();
    for (const name of this.model.names)
      if (!isBuiltIn(name)) this.add(name.text, name.sheet ?? -1, `the name '${name.name}'`);
    const ranges = this.model.sheets.map((_, sheet) => this.readSheet(sheet));
    for (const { path, sheet } of chartParts(this.source, this.model)) {
      const part = this.source.part(path);
      for (const { formula } of part ? readChart(toUtf8(part, path), path).references : [])
        this.add(formula, -1, `a chart on sheet '${sheet}'`);
    }
    this.readPivotSources();
    return { found: this.found, unread: this.unread, ranges };
  }

  private readCells(): void {
    for (const [sheet, records] of placedRecords(this.model).entries()) {
      const { name } = this.model.sheets[sheet]!;
      for (const { record, tree, box } of records) {
        if (record.kind === 'dataTable') continue;
        const what = `the formula in cell ${formatCell(box.top, box.left)} of sheet '${name}'`;
        if (!tree) {
          this.unread ??= what;
          continue;
        }
        const first = referencesOf(tree, sheet, { row: box.top, col: box.left }, this.scope);
        const last = referencesOf(tree, sheet, { row: box.bottom, col: box.right }, this.scope);
        for (const [index, reference] of first.entries())
          this.found.push({ ...reference, block: around(reference.block, last[index]!.block), what });
      }
    }
  }

  private readSheet(sheet: number): SheetRanges {
    const { part, name } = this.model.sheets[sheet]!;
    if (this.source.part(part) === undefined) return { rules: [], formulas: [], filters: [] };
    const ranges = readSheetRanges(requirePart(this.source, part, `sheet '${name}'`), part);
    for (const text of ranges.formulas) this.add(text, sheet, `a control or sparkline of sheet '${name}'`);
    for (const { blocks, formulas } of ranges.rules) {
      const all = blocks.reduce<CellBlock | null>((box, block) => (box ? around(box, block) : block), null);
      for (const text of formulas) this.add(text, sheet, `a validation or conditional format of sheet '${name}'`, all);
    }
    return ranges;
  }

  private readPivotSources(): void {
    const { source, scope } = this;
    for (const { type, target, external } of readRelationships(source, workbookPath(source), READER_LIMITS)) {
      const part = type === 'pivotCacheDefinition' && !external ? source.part(target) : undefined;
      if (!part) continue;
      const xml = new XmlScanner(toUtf8(part, target), target);
      for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
        if (token !== XmlToken.Open) continue;
        if (xml.name === 'cacheFields') break;
        if (xml.name !== 'worksheetSource' && xml.name !== 'rangeSet') continue;
        const block = parseBlock(xml.attribute('ref') ?? '');
        const sheet = scope.sheetIndex(xml.attribute('sheet') ?? '');
        if (block && sheet !== null && xml.prefixedAttribute('id') === undefined)
          this.found.push({ sheets: [sheet], block, isColumns: false, what: 'the source of a pivot table' });
      }
    }
  }

  /** Adds a formula based on the first cell of an area, or on no cell. */
  private add(text: string, sheet: number, what: string, area: CellBlock | null = null): void {
    if (!/\d/.test(text)) return;
    const at = area ? { row: area.top, col: area.left } : NO_CELL;
    const tree = treeOf(text.replace(/^=/, ''), at);
    if (!tree) {
      this.unread ??= what;
      return;
    }
    const first = referencesOf(tree, sheet, at, this.scope);
    const last = area ? referencesOf(tree, sheet, { row: area.bottom, col: area.right }, this.scope) : first;
    for (const [index, reference] of first.entries())
      this.found.push({ ...reference, block: around(reference.block, last[index]!.block), what });
  }
}
