/**
 * Carries the marks of the last version over to a file without marks: by table name, by the label beside the cells, and
 * by position. A mark is placed only if these agree; otherwise the author chooses.
 */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatBlock, MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { CarriedMark, Mark } from '#shared/contract/designs.ts';
import { sheetIndex } from '../definitions/areas.ts';
import { formatArea, sameBlock, tableBody } from '../definitions/blocks.ts';
import { createCellView } from '../definitions/cell-view.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { findLabels, indexLabels, labelOf, surroundingTextOf } from './cell-labels.ts';
import type { LabelIndex } from './cell-labels.ts';
import { declaredMarks } from './marks-of.ts';
import type { DeclaredMark } from './marks-of.ts';

export interface CarriedOver {
  /** The marks that could be placed: unchanged or moved ones. */
  marks: Mark[];
  carried: CarriedMark[];
}

interface Book {
  model: WorkbookModel;
  view: CellView;
}

interface MarkLocation {
  sheet: number;
  block: CellBlock;
  why: CarriedMark['Places'][number]['Why'];
}

/** Maximum number of candidate places per mark: nobody would look through more. */
const MAX_LOCATIONS = 20;

export function carryOver(lastVersion: WorkbookModel, file: WorkbookModel): CarriedOver {
  const from: Book = { model: lastVersion, view: createCellView(lastVersion) };
  const to: Book = { model: file, view: createCellView(file) };
  const labels = indexLabels(file);
  const found = declaredMarks(lastVersion, from.view).map((declared) => carry(from, to, labels, declared));
  return { marks: found.flatMap(({ mark }) => mark ?? []), carried: found.map(({ carried }) => carried) };
}

function carry(
  from: Book,
  to: Book,
  labels: LabelIndex,
  declared: DeclaredMark,
): { mark: Mark | null; carried: CarriedMark } {
  const { Role, Name, Options } = declared.mark;
  const { area } = declared.draft;
  const { state, locations } = findLocations(from, to, labels, declared);
  const From = formatArea(from.model.sheets[area.sheet]!.name, area.block);
  const Places = locations.slice(0, MAX_LOCATIONS).map(({ sheet, block, why }) => ({
    Sheet: to.model.sheets[sheet]!.name,
    Range: formatBlock(block),
    Why: why,
  }));
  const carried: CarriedMark = { Role, Name, Options, State: state, From, Places };
  const [first] = Places;
  const isPlaced = first && (state === 'Same' || state === 'Moved');
  return { carried, mark: isPlaced ? { Role, Name, Options, Sheet: first.Sheet, Range: first.Range } : null };
}

interface Found {
  state: CarriedMark['State'];
  locations: MarkLocation[];
}

function findLocations(from: Book, to: Book, labels: LabelIndex, { draft }: DeclaredMark): Found {
  const { sheet, block, table } = draft.area;
  const here = sameLocation(from, to, sheet, block);
  if (table && sameBlock(tableBody(table), block)) {
    const named = to.model.tables.find(({ name }) => name.toLowerCase() === table.name.toLowerCase());
    if (named) return decided(here, { sheet: named.sheet, block: tableBody(named), why: 'Table' });
  }
  const label = labelOf(from.view, sheet, block);
  if (label === null) return withoutLabel(from, to, sheet, block, here);
  const sheetName = from.model.sheets[sheet]!.name;
  const locations = findLabels(labels, label.text)
    .map((cell) => shifted(to, cell, label, block))
    .filter((location) => location !== null);
  const own = locations.filter((location) => to.model.sheets[location.sheet]!.name === sheetName);
  const candidates = own.length > 0 ? own : locations;
  const isHere = here !== null && candidates.some((location) => isSameLocation(location, here));
  if (isHere && fits(from, to, draft.area, here)) return { state: 'Same', locations: [here] };
  const [only] = candidates;
  const stays = here !== null && holdsValue(to, here) && labelOf(to.view, here.sheet, here.block) === null;
  if (only && candidates.length === 1 && !stays && fits(from, to, draft.area, only))
    return { state: 'Moved', locations: [only] };
  const all = here !== null && !isHere && holdsValue(to, here) ? [...candidates, here] : candidates;
  return { state: all.length === 0 ? 'Gone' : 'Unsure', locations: all };
}

/** Handles cells without a label: they count as the same only if everything around them is unchanged. */
function withoutLabel(from: Book, to: Book, sheet: number, block: CellBlock, here: MarkLocation | null): Found {
  if (here === null) return { state: 'Gone', locations: [] };
  const isSame = surroundingTextOf(from.view, sheet, block) === surroundingTextOf(to.view, here.sheet, block);
  if (isSame && fits(from, to, { sheet, block }, here)) return { state: 'Same', locations: [here] };
  return holdsValue(to, here) ? { state: 'Unsure', locations: [here] } : { state: 'Gone', locations: [] };
}

const decided = (here: MarkLocation | null, location: MarkLocation): Found => ({
  state: here !== null && isSameLocation(here, location) ? 'Same' : 'Moved',
  locations: [location],
});

const isSameLocation = (a: MarkLocation, b: MarkLocation): boolean =>
  a.sheet === b.sheet && sameBlock(a.block, b.block);

/** Returns the same cells on the sheet with the same name. */
function sameLocation(from: Book, to: Book, sheet: number, block: CellBlock): MarkLocation | null {
  const index = sheetIndex(to.model, from.model.sheets[sheet]!.name);
  return index < 0 ? null : { sheet: index, block, why: 'Position' };
}

/**
 * Returns the cells at the same offset from a label as the block had from its own; null if they would be outside the
 * sheet.
 */
function shifted(
  { model }: Book,
  cell: { sheet: number; row: number; col: number },
  label: { row: number; col: number },
  block: CellBlock,
): MarkLocation | null {
  const down = cell.row - label.row;
  const right = cell.col - label.col;
  const moved = {
    top: block.top + down,
    bottom: block.bottom + down,
    left: block.left + right,
    right: block.right + right,
  };
  const isInside = moved.top >= 0 && moved.left >= 0 && moved.bottom < MAX_ROWS && moved.right < MAX_COLS;
  return isInside && model.sheets[cell.sheet] ? { sheet: cell.sheet, block: moved, why: 'Label' } : null;
}

const anchorOf = (view: CellView, sheet: number, { top, left }: CellBlock) => view.cell(sheet, top, left);

function holdsValue({ view }: Book, { sheet, block }: MarkLocation): boolean {
  const { value, formula } = anchorOf(view, sheet, block);
  return formula !== null || (value !== null && value !== '');
}

/**
 * Returns true if a formula is still a formula, a typed value still typed, and a list that ended above a blank row
 * still does.
 */
function fits(from: Book, to: Book, area: { sheet: number; block: CellBlock }, location: MarkLocation): boolean {
  const before = anchorOf(from.view, area.sheet, area.block);
  const now = anchorOf(to.view, location.sheet, location.block);
  if ((before.formula === null) !== (now.formula === null)) return false;
  if (area.block.bottom === area.block.top) return true;
  const below = (view: CellView, sheet: number, { bottom, left }: CellBlock): boolean => {
    const { value, formula } = view.cell(sheet, bottom + 1, left);
    return value === null && formula === null;
  };
  return below(from.view, area.sheet, area.block) === below(to.view, location.sheet, location.block);
}
