/** Reads the unzipped parts of an .xlsx or .xlsm into a WorkbookModel. */
import { readCellMetadata } from './cell-metadata.ts';
import { BlockBudget } from './data-validations.ts';
import { readStyles } from './number-formats.ts';
import { readProperties } from './properties-part.ts';
import type { PivotCache } from './pivot-cache.ts';
import { readPivotTable } from './pivot-table.ts';
import { READER_LIMITS } from './reader-limits.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { optionalPart, readRelationships, requirePart } from './relationships.ts';
import type { WorkbookParts } from './relationships.ts';
import { readSharedStrings, StringTable } from './rich-text.ts';
import type { ReadingContext } from './sheet-cells.ts';
import { savingProgram } from './saving-program.ts';
import { emptySheet, readSheet } from './sheet-part.ts';
import { checkTables, readTable } from './table-part.ts';
import { WorkbookFileError } from './workbook-file-error.ts';
import { readExternalBooks } from './workbook-links.ts';
import type { PivotTable, SheetModel, TableModel, WorkbookModel } from './workbook-model.ts';
import { readWorkbookPart } from './workbook-part.ts';

/**
 * Returns the model of a workbook. Synchronous; `limits` bounds its memory and steps. Throws WorkbookFileError, with a
 * message for the author of the file, if the file contradicts the format or exceeds a limit.
 */
export function readWorkbook(parts: WorkbookParts, limits: ReaderLimits = READER_LIMITS): WorkbookModel {
  const path = workbookPath(parts, limits);
  const relationships = readRelationships(parts, path, limits);
  const workbook = readWorkbookPart(requirePart(parts, path, 'the list of sheets'), path, relationships, limits);
  const strings = new StringTable(limits);
  const stringsPart = optionalPart(parts, relationships, 'sharedStrings');
  if (stringsPart.bytes) readSharedStrings(stringsPart.bytes, stringsPart.path, strings, limits);
  const styles = optionalPart(parts, relationships, 'styles');
  const { numberFormats, styleNames, moneyFormats } = readStyles(styles.bytes, styles.path, limits);
  const context: ReadingContext = {
    limits,
    strings,
    styleCount: numberFormats.length,
    date1904: workbook.date1904,
    metadata: readCellMetadata(parts, relationships, limits),
    cellsLeft: limits.cells,
    formulaCharsLeft: limits.formulaTotalChars,
  };
  const { wpsSheet, ...sheetsAndTables } = readSheets(parts, workbook.sheets, context);
  const [dynamicArrayMetadata] = context.metadata.dynamicArrays;
  const { program: named, headings } = readProperties(parts, limits);
  const saved = savingProgram({ named, ...workbook.saved, workbookPath: path, wpsSheet });
  const externalBooks = readExternalBooks(parts, workbook.externalReferences, relationships, context);
  return {
    date1904: workbook.date1904,
    iteration: workbook.iteration,
    ...sheetsAndTables,
    names: workbook.names,
    strings: strings.texts,
    numberFormats,
    externalLinks: externalBooks.map(({ target }) => target),
    externalBooks,
    origin: { ...saved, ...workbook.calculation, traces: { headings, styleNames, moneyFormats } },
    hasMacros: relationships.some(({ type }) => type === 'vbaProject'),
    ...(dynamicArrayMetadata === undefined ? {} : { dynamicArrayMetadata }),
  };
}

/** Returns the path of the part that lists the sheets. */
export function workbookPath(parts: WorkbookParts, limits: ReaderLimits = READER_LIMITS): string {
  const main = readRelationships(parts, '', limits).find(
    ({ type, external }) => type === 'officeDocument' && !external,
  );
  return main?.target ?? 'xl/workbook.xml';
}

function readSheets(
  parts: WorkbookParts,
  entries: readonly Parameters<typeof readSheet>[1][],
  context: ReadingContext,
): { sheets: SheetModel[]; tables: TableModel[]; pivotTables: PivotTable[]; wpsSheet: string | null } {
  const budget = new BlockBudget(context.limits.blocks);
  const sheets: SheetModel[] = [];
  const tables: TableModel[] = [];
  const pivotTables: PivotTable[] = [];
  const caches = new Map<string, PivotCache>();
  let wpsSheet: string | null = null;
  for (const entry of entries) {
    if (!entry.isWorksheet) {
      sheets.push(emptySheet(entry, context));
      continue;
    }
    const bytes = requirePart(parts, entry.part, `sheet '${entry.name}'`);
    const { sheet, tablePaths, pivotPaths, isOfWps } = readSheet(parts, entry, bytes, context, budget);
    if (isOfWps) wpsSheet ??= entry.part;
    for (const tablePath of tablePaths) {
      if (tables.length >= context.limits.tables) {
        throw new WorkbookFileError('tooManyTables', `The workbook has more than ${context.limits.tables} tables.`);
      }
      tables.push(readTable(parts, tablePath, sheets.length, context.limits));
    }
    for (const path of pivotPaths) {
      const pivotTable = readPivotTable(parts, path, sheets.length, caches, context);
      if (pivotTable) pivotTables.push(pivotTable);
    }
    sheets.push(sheet);
  }
  checkTables(tables);
  return { sheets, tables, pivotTables, wpsSheet };
}
