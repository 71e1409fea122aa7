/** Parts of a workbook file that refer to cells in ways the program does not follow: where there are such, nothing is moved. */
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { readRelationships } from '#server/calculation/reader/relationships.ts';
import { workbookPath } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { WorkbookPackage } from '../package.ts';

/** Parts of a sheet that follow, or refer to no cells. */
const OF_SHEETS: ReadonlySet<string> = new Set([
  'table',
  'comments',
  'threadedComment',
  'pivotTable',
  'drawing',
  'vmlDrawing',
  'vmlDrawingHF',
  'ctrlProp',
  'control',
  'oleObject',
  'package',
  'image',
  'hyperlink',
  'printerSettings',
  'queryTable',
  'customProperty',
  'slicer',
  'timeline',
]);

/** Parts of the workbook that hold cells by coordinates and do not follow, in words. */
const OF_WORKBOOK: Readonly<Record<string, string>> = {
  revisionHeaders: 'the workbook is a shared one with a history of changes',
  volatileDependencies: 'the workbook has cells with real-time data',
  xlMacrosheet: 'the workbook has macro sheets of Excel 4.0',
};

/** Why cells of a sheet cannot be moved, in words that follow "because"; null where they can. */
export function referenceFault(source: WorkbookPackage, model: WorkbookModel, sheet: number): string | null {
  for (const { type } of readRelationships(source, workbookPath(source), READER_LIMITS)) {
    const fault = OF_WORKBOOK[type];
    if (fault !== undefined) return fault;
  }
  const { part, name } = model.sheets[sheet]!;
  const unknown = readRelationships(source, part, READER_LIMITS).find(({ type }) => !OF_SHEETS.has(type));
  return unknown ? `sheet '${name}' holds something that cannot be moved (${unknown.type})` : null;
}
