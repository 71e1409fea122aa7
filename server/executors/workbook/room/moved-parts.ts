/**
 * Detects parts of a workbook file that refer to cells in ways this program cannot update. If there are any, nothing is
 * moved.
 */
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { readRelationships } from '#server/calculation/reader/relationships.ts';
import { workbookPath } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { WorkbookPackage } from '../package.ts';

/** Types of a sheet's parts that are updated or refer to no cells. */
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

/** Types of the workbook's parts that store cell coordinates and are not updated, with a description. */
const OF_WORKBOOK: ReadonlyMap<string, string> = new Map([
  ['revisionHeaders', 'the workbook is shared and has a change history'],
  ['volatileDependencies', 'the workbook has cells with real-time data'],
  ['xlMacrosheet', 'the workbook has Excel 4.0 macro sheets'],
]);

/** Returns why cells of a sheet cannot be moved, as a text that follows "because"; null if they can. */
export function moveObstacle(source: WorkbookPackage, model: WorkbookModel, sheet: number): string | null {
  for (const { type } of readRelationships(source, workbookPath(source), READER_LIMITS)) {
    const obstacle = OF_WORKBOOK.get(type);
    if (obstacle !== undefined) return obstacle;
  }
  const { part, name } = model.sheets[sheet]!;
  const unknown = readRelationships(source, part, READER_LIMITS).find(({ type }) => !OF_SHEETS.has(type));
  return unknown ? `sheet '${name}' contains something that cannot be moved (${unknown.type})` : null;
}
