/**
 * Inserts cells into a sheet of a workbook file and moves the cells below down, like Excel's "Insert, Shift cells
 * down". Only parts that mention something that moves are rewritten. The result is read like any other file, so that
 * the engine calculates exactly what is returned to the user.
 */
import { Buffer } from 'node:buffer';
import { Scope } from '#server/calculation/graph/scope.ts';
import { workbookPath } from '#server/calculation/reader/read-workbook.ts';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { readRelationships, requirePart } from '#server/calculation/reader/relationships.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { toUtf8 } from '#server/calculation/reader/xml-text.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import { applyEdits } from '../byte-edits.ts';
import { dropCalcChain } from '../calc-chain.ts';
import { chartParts } from '../charts/chart-parts.ts';
import type { WorkbookPackage } from '../package.ts';
import { withNewNames } from '../part-edits.ts';
import { changedPackage } from './changed-package.ts';
import { anchorEdits, vmlEdits } from './moved-anchors.ts';
import { movedFormulas } from './moved-formulas.ts';
import type { FormulaChanges } from './moved-formulas.ts';
import { movedName } from './moved-names.ts';
import { movedReferences, partEdits } from './moved-references.ts';
import type { MovedReferences } from './moved-references.ts';
import { moveSheet } from './move-sheet.ts';

interface Work {
  source: WorkbookPackage;
  model: WorkbookModel;
  insertion: CellInsertion;
  scope: Scope;
  changed: Map<string, Uint8Array | null>;
}

/** `model` must be the result of reading `source`. The insertion must come from planSpace: nothing is checked here. */
export function insertCells(source: WorkbookPackage, model: WorkbookModel, insertion: CellInsertion): WorkbookPackage {
  const changed = new Map<string, Uint8Array | null>();
  const work: Work = { source, model, insertion, scope: new Scope(model), changed };
  const formulas = movedFormulas(model, insertion, work.scope);
  for (const sheet of model.sheets.keys()) rewriteSheet(work, sheet, formulas.get(sheet) ?? new Map());
  const main = workbookPath(source);
  rewriteWorkbook(work, main);
  const charts = movedReferences(null, insertion, work.scope);
  // The ranges that charts filter are written as formulas too.
  const ofCharts = { ...charts, ranges: (text: string) => charts.formula(text) };
  for (const { path } of chartParts(source, model)) rewritePart(work, path, ofCharts);
  for (const { type, target, external } of readRelationships(source, main, READER_LIMITS))
    if (!external && (type === 'pivotCacheDefinition' || type === 'connections')) rewritePart(work, target, charts);
  dropCalcChain(source, main, changed);
  return changedPackage(source, changed);
}

function rewriteSheet(work: Work, sheet: number, changes: FormulaChanges): void {
  const { source, model, insertion, scope } = work;
  const { part, name } = model.sheets[sheet]!;
  if (source.part(part) === undefined) return;
  const references = movedReferences(sheet, insertion, scope);
  const isOwn = sheet === insertion.sheet;
  const bytes = requirePart(source, part, `sheet '${name}'`);
  if (isOwn || changes.size > 0 || mayRefer(bytes)) {
    const own = isOwn ? insertion : null;
    const moved = moveSheet(bytes, part, { changes, own, references, model: model.sheets[sheet]! });
    if (moved) work.changed.set(part.toLowerCase(), moved);
  }
  for (const { type, target, external } of readRelationships(source, part, READER_LIMITS)) {
    if (external || !RELATED.has(type)) continue;
    rewritePart(work, target, references, isOwn ? ANCHORED[type] : undefined);
  }
}

/** Types of related parts that refer to cells of a sheet. */
const RELATED: ReadonlySet<string> = new Set([
  'table',
  'comments',
  'threadedComment',
  'pivotTable',
  'drawing',
  'vmlDrawing',
  'ctrlProp',
]);

const ANCHORED: Readonly<Record<string, typeof anchorEdits>> = { drawing: anchorEdits, vmlDrawing: vmlEdits };

function rewritePart(
  { source, insertion, changed }: Work,
  path: string,
  references: MovedReferences,
  anchors?: typeof anchorEdits,
): void {
  const part = source.part(path);
  if (!part) return;
  const bytes = toUtf8(part, path);
  const edits = [...partEdits(bytes, path, references), ...(anchors?.(bytes, path, insertion) ?? [])];
  if (edits.length === 0) return;
  changed.set(
    path.toLowerCase(),
    applyEdits(
      bytes,
      edits.sort((a, b) => a.start - b.start),
    ),
  );
}

/** Returns true if a sheet may refer to other sheets outside its cells. */
function mayRefer(part: Uint8Array): boolean {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  const end = bytes.lastIndexOf('sheetData');
  return end >= 0 && MENTIONS.some((name) => bytes.includes(name, end));
}

const MENTIONS = [
  '<formula',
  ':formula',
  ':f>',
  'type="formula"',
  'location=',
  'linkedCell=',
  'listFillRange=',
  'dataRef',
];

function rewriteWorkbook({ source, model, insertion, scope, changed }: Work, path: string): void {
  const bytes = requirePart(source, path, 'the list of sheets');
  const moved = withNewNames(bytes, path, model, (name) => movedName(name, insertion, scope));
  if (moved) changed.set(path.toLowerCase(), moved);
}
