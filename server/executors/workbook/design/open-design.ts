/** Builds what a page displays of a workbook in which inputs and outputs are to be marked. */
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { DesignSheet } from '#shared/contract/designs.ts';
import type { OpenedDesign, VersionBefore } from '#server/executors/executor.ts';
import { createDefinitionView } from '../definitions/definition-view.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { OURS } from '../engines.ts';
import type { Engines } from '../engines.ts';
import { carryOver } from '../marks/carry-over.ts';
import { declaredMarks } from '../marks/marks-of.ts';
import { createOwnCalculation } from '../own-calculation.ts';
import { openPackage } from '../package.ts';
import type { WorkbookPackage } from '../package.ts';
import { proposedMarks } from './proposed-marks.ts';
import { readCellLooks } from './cell-looks.ts';
import { createLookNumbers } from './look-numbers.ts';
import type { LookNumbers } from './look-numbers.ts';
import { usableProposals } from './usable-proposals.ts';
import { readSheetLayout } from './sheet-layout.ts';
import type { SizeSpan } from './sheet-layout.ts';
import { shownCells } from './sheet-parts.ts';

/**
 * Limits what is displayed of a workbook to about 60 MB in a browser. Excess rows at the end of a sheet are omitted,
 * and the page says so.
 */
interface Budget {
  cells: number;
  /** Rows and columns with their own sizes and looks, and merged cells. */
  spans: number;
}

const SHOWN: Readonly<Budget> = { cells: 3_000_000, spans: 100_000 };

/** Throws WorkbookFileError if the file cannot be read. */
export async function openDesign(
  bytes: Uint8Array,
  { file: lastVersion, region }: VersionBefore,
  engines: Engines,
): Promise<OpenedDesign> {
  const source = await openPackage(bytes);
  const model = { ...readWorkbook(source), regionWish: region };
  const own = createOwnCalculation(model, engines.named(OURS));
  const view = createDefinitionView(model, own.calculated);
  const looks = createLookNumbers(readCellLooks(source, model.numberFormats));
  const parts: Uint8Array[][] = [];
  const left: Budget = { ...SHOWN };
  const sheets: DesignSheet[] = [];
  for (const [index, sheet] of model.sheets.entries()) {
    // Users cannot see this sheet in Excel either.
    if (sheet.visibility === 'veryHidden') continue;
    const shown = shownSheet(source, model, index, { view, looks, left });
    sheets.push(shown.sheet);
    parts.push(shown.parts);
  }
  const marks = declaredMarks(model, view).map(({ mark }) => mark);
  const carried = marks.length === 0 && lastVersion ? carryOver(await readModel(lastVersion), model) : null;
  const shownMarks = carried?.marks ?? marks;
  const proposals = proposedMarks(source, model, shownMarks);
  const hasMarks = shownMarks.length > 0;
  return {
    sheets,
    looks: [...looks.used],
    date1904: model.date1904,
    proposals: hasMarks ? proposals : await usableProposals(bytes, proposals, engines),
    marks: shownMarks,
    carried: carried?.carried ?? null,
    region: own.region(),
    parts,
  };
}

const readModel = async (bytes: Uint8Array): Promise<WorkbookModel> => readWorkbook(await openPackage(bytes));

interface ShowOptions {
  view: CellView;
  looks: LookNumbers;
  left: Budget;
}

/** Takes the first items, as many as the budget allows. */
function take<T>(left: Budget, list: readonly T[]): T[] {
  const taken = list.slice(0, left.spans);
  left.spans -= taken.length;
  return taken;
}

function shownSheet(
  source: WorkbookPackage,
  model: WorkbookModel,
  index: number,
  options: ShowOptions,
): { sheet: DesignSheet; parts: Uint8Array[] } {
  const { left } = options;
  const sheet = model.sheets[index]!;
  const layout = readSheetLayout(source, sheet);
  const cells = shownCells(model, index, { ...options, maxCells: left.cells });
  left.cells -= cells.count;
  const merges = take(left, sheet.merges);
  const edge = (side: 'bottom' | 'right'): number => merges.reduce((max, merge) => Math.max(max, merge[side] + 1), 0);
  const rows = Math.max(cells.rows, cells.skippedRows > 0 ? 0 : edge('bottom'));
  const columns = Math.max(cells.columns, edge('right'));
  return {
    sheet: {
      Name: sheet.name,
      IsHidden: sheet.visibility !== 'visible',
      Rows: rows,
      Columns: columns,
      DefaultWidth: layout.defaultWidth,
      DefaultHeight: layout.defaultHeight,
      Widths: take(left, layout.widths),
      Heights: take(left, layout.heights),
      ...wholeLooks(sheet, options),
      FrozenRows: layout.frozenRows,
      FrozenColumns: layout.frozenColumns,
      Merges: merges.map(({ top, left, bottom, right }) => [top, left, bottom, right]),
      ShowsGridLines: layout.showsGridLines,
      IsRightToLeft: layout.isRightToLeft,
      Parts: cells.parts.map(({ firstRow }) => firstRow),
      RowsLeftOut: cells.skippedRows,
    },
    parts: cells.parts.map(({ part }) => new Uint8Array(gzipSync(Buffer.from(JSON.stringify(part))))),
  };
}

/** Returns the looks of whole columns and rows that differ from a plain cell. */
function wholeLooks(
  { columnStyles, rowStyles }: SheetModel,
  { looks, left }: ShowOptions,
): Pick<DesignSheet, 'ColumnLooks' | 'RowLooks'> {
  const columns = columnStyles.filter(({ style }) => looks.isVisible(style));
  const rows = [...rowStyles].filter(([, style]) => looks.isVisible(style)).sort(([a], [b]) => a - b);
  const spans: SizeSpan[] = [];
  for (const [row, style] of rows) {
    const look = looks.numberOf(style);
    const last = spans.at(-1);
    if (last && last[1] === row - 1 && last[2] === look) last[1] = row;
    else spans.push([row, row, look]);
  }
  return {
    ColumnLooks: take(left, columns).map(({ first, last, style }) => [first, last, looks.numberOf(style)]),
    RowLooks: take(left, spans),
  };
}
