/** What a page shows of a workbook in which inputs and outputs are to be marked. */
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { DesignSheet } from '#shared/contract/designs.ts';
import type { OpenedDesign } from '#server/executors/executor.ts';
import { createDefinitionView } from '../definitions/definition-view.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { OURS } from '../engines.ts';
import type { Engines } from '../engines.ts';
import { carryOver } from '../marks/carry-over.ts';
import { declaredMarks } from '../marks/marks-of.ts';
import { createOwnCalculation } from '../own-calculation.ts';
import { openPackage } from '../package.ts';
import type { WorkbookPackage } from '../package.ts';
import { readCellLooks } from './cell-looks.ts';
import { createLookNumbers } from './look-numbers.ts';
import type { LookNumbers } from './look-numbers.ts';
import { readSheetLayout } from './sheet-layout.ts';
import type { SizeSpan } from './sheet-layout.ts';
import { shownCells } from './sheet-parts.ts';

/** Cells shown of a workbook, some 60 MB in a browser; rows that are too many are left out at the end. */
const MAX_CELLS = 3_000_000;
const MAX_MERGES = 20_000;
/** Sizes and looks of rows and columns that are sent; a sheet has some hundred. */
const MAX_SPANS = 50_000;

/** Throws WorkbookFileError where the file cannot be read. @param lastVersion the file before, whose marks one without marks gets; null where there is none */
export async function openDesign(
  bytes: Uint8Array,
  lastVersion: Uint8Array | null,
  engines: Engines,
): Promise<OpenedDesign> {
  const source = await openPackage(bytes);
  const model = readWorkbook(source);
  const own = createOwnCalculation(model, engines.named(OURS));
  const view = createDefinitionView(model, own.calculated);
  const looks = createLookNumbers(readCellLooks(source, model.numberFormats));
  const parts: Uint8Array[][] = [];
  let cellsLeft = MAX_CELLS;
  const sheets: DesignSheet[] = [];
  for (const [index, sheet] of model.sheets.entries()) {
    // Nobody can see it in Excel either.
    if (sheet.visibility === 'veryHidden') continue;
    const shown = shownSheet(source, model, index, { view, looks, maxCells: cellsLeft });
    cellsLeft -= shown.cellCount;
    sheets.push(shown.sheet);
    parts.push(shown.parts);
  }
  const marks = declaredMarks(model, view).map(({ mark }) => mark);
  const carried = marks.length === 0 && lastVersion ? carryOver(await readModel(lastVersion), model) : null;
  return {
    sheets,
    looks: [...looks.used],
    date1904: model.date1904,
    proposals: [],
    marks: carried?.marks ?? marks,
    carried: carried?.carried ?? null,
    parts,
  };
}

const readModel = async (bytes: Uint8Array): Promise<WorkbookModel> => readWorkbook(await openPackage(bytes));

interface ShowOptions {
  view: CellView;
  looks: LookNumbers;
  maxCells: number;
}

function shownSheet(
  source: WorkbookPackage,
  model: WorkbookModel,
  index: number,
  options: ShowOptions,
): { sheet: DesignSheet; parts: Uint8Array[]; cellCount: number } {
  const sheet = model.sheets[index]!;
  const layout = readSheetLayout(source, sheet);
  const cells = shownCells(model, index, options);
  const merges = sheet.merges.slice(0, MAX_MERGES);
  const edge = (side: 'bottom' | 'right'): number => merges.reduce((most, merge) => Math.max(most, merge[side] + 1), 0);
  const rows = Math.max(cells.rows, cells.rowsLeftOut > 0 ? 0 : edge('bottom'));
  const columns = Math.max(cells.columns, edge('right'));
  return {
    sheet: {
      Name: sheet.name,
      IsHidden: sheet.visibility !== 'visible',
      Rows: rows,
      Columns: columns,
      DefaultWidth: layout.defaultWidth,
      DefaultHeight: layout.defaultHeight,
      Widths: layout.widths.slice(0, MAX_SPANS),
      Heights: layout.heights.slice(0, MAX_SPANS),
      ...wholeLooks(sheet, options.looks),
      FrozenRows: layout.frozenRows,
      FrozenColumns: layout.frozenColumns,
      Merges: merges.map(({ top, left, bottom, right }) => [top, left, bottom, right]),
      ShowsGridLines: layout.showsGridLines,
      IsRightToLeft: layout.isRightToLeft,
      Parts: cells.parts.map(({ firstRow }) => firstRow),
      RowsLeftOut: cells.rowsLeftOut,
    },
    parts: cells.parts.map(({ part }) => new Uint8Array(gzipSync(Buffer.from(JSON.stringify(part))))),
    cellCount: cells.count,
  };
}

/** Looks of whole columns and rows that differ from a plain cell. */
function wholeLooks(
  { columnStyles, rowStyles }: SheetModel,
  looks: LookNumbers,
): Pick<DesignSheet, 'ColumnLooks' | 'RowLooks'> {
  const columns = columnStyles.filter(({ style }) => looks.isVisible(style));
  const rows = [...rowStyles].filter(([, style]) => looks.isVisible(style)).sort(([a], [b]) => a - b);
  const spans: SizeSpan[] = [];
  for (const [row, style] of rows.slice(0, MAX_SPANS)) {
    const look = looks.numberOf(style);
    const last = spans.at(-1);
    if (last && last[1] === row - 1 && last[2] === look) last[1] = row;
    else spans.push([row, row, look]);
  }
  return {
    ColumnLooks: columns.map(({ first, last, style }) => [first, last, looks.numberOf(style)]),
    RowLooks: spans,
  };
}
