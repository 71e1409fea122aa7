/**
 * Detects blocks that are read as one matrix only because their heading row is unusable. Dates and numbers of their
 * columns would arrive as texts.
 */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { valueGrid, withoutHeadings } from '../anchors.ts';
import { formatArea, widthOf } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import type { ProblemList, Problem } from './problems.ts';
import { problem } from './problems.ts';
import type { Field } from './field.ts';
import { fieldsOf } from './fields.ts';
import { UNKNOWN } from './guessed-kinds.ts';
import type { Draft } from './parameters.ts';
import { withLetters } from './shapes.ts';
import type { Shape } from './shapes.ts';

/** Maximum number of blank rows between headings and values. */
const MAX_GAP = 2;

/** A row that reads like headings, and the reason it is unusable. */
interface LostHeadings {
  /** 0-based. */
  row: number;
  /** Null for a column without a title. */
  titles: (string | null)[];
  reason: string;
  howToFix: string;
}

/**
 * Adjusts the shape of an input without headings whose columns hold different types of values: each column keeps its
 * type and is named by its letters. Reports a problem if a row could be the headings but is unusable. Only for shapes
 * that the author did not request.
 */
export function withKinds(
  model: WorkbookModel,
  view: CellView,
  draft: Draft,
  shape: Shape,
  { problems, findings }: { problems: ProblemList; findings: ProblemList },
): Shape {
  const isMatrix = shape.rangeType === 'MatrixWithoutHeaders' || shape.rangeType === 'MatrixWithHeaders';
  if (!isMatrix || widthOf(shape.data) < 2) return shape;
  const { sheet } = draft.area;
  const usage = fieldsOf(model, view, sheet, shape)[0]!.usage;
  const found =
    shape.rangeType === 'MatrixWithHeaders' ? cornerOf(model, draft, shape) : lostHeadings(model, view, sheet, shape);
  const isInside = found !== null && found.row === shape.data.top;
  const values = isInside ? { ...shape, ...withoutHeadings(shape.data, shape.anchors, 1, 0) } : shape;
  const kinds = kindsOf(fieldsOf(model, view, sheet, { ...values, rangeType: 'RangeWithColumnHeaders' }));
  if (kinds.length === 0 || (kinds.length === 1 && kinds[0] === usage)) return shape;
  const held = kinds.length > 1 ? `different kinds of values (${kinds.join(', ')})` : `values of the kind ${kinds[0]!}`;
  if (!found) {
    findings.add(draft.location, namedByLetters(draft.name, held));
    return withLetters(shape);
  }
  const { row, titles, reason, howToFix } = found;
  const left = shape.data.left - shape.headerCols;
  const range = formatArea(model.sheets[sheet]!.name, { top: row, bottom: row, left, right: shape.data.right });
  const named = titles.flatMap((title) => (title === null ? [] : [`'${title}'`])).join(', ');
  problems.add(
    draft.location,
    problem(
      `The columns of the input '${draft.name}' hold ${held}, but it is treated as a matrix whose cells are all of the kind ${usage}. ${range} could be the headings (${named}), but ${reason}.`,
      `${howToFix} If it really is a single matrix, enter ${shape.rangeType} as its RangeType in PortalInputs.`,
    ),
  );
  return shape;
}

const namedByLetters = (name: string, held: string): Problem =>
  problem(
    `The columns of the input '${name}' hold ${held} and have no headings: they are named by their column letters.`,
    'Put a row of unique headings directly above it. If it is a single matrix, enter RangeType and CellUsages in PortalInputs.',
  );

/** Returns the value types of the columns, as far as they are known. */
const kindsOf = (fields: readonly Field[]): CellUsage[] => [
  ...new Set(fields.flatMap(({ usage, guess }) => (guess === UNKNOWN ? [] : [usage]))),
];

/** Returns the headings of a matrix whose corner is blank. */
function cornerOf(model: WorkbookModel, { area: { sheet } }: Draft, { data, columnHeaders }: Shape): LostHeadings {
  const corner = cellText(model, sheet, data.top - 1, data.left - 1);
  return {
    row: data.top - 1,
    titles: [null, ...columnHeaders],
    reason: `the corner ${corner} is empty, which makes the range a matrix`,
    howToFix: `Enter a heading in ${corner}.`,
  };
}

/** The columns below the headings, and the row in which their values begin. */
interface Columns {
  sheet: number;
  cols: readonly number[];
  top: number;
}

function lostHeadings(
  model: WorkbookModel,
  view: CellView,
  sheet: number,
  { data, anchors }: Shape,
): LostHeadings | null {
  const { height, width, colAt } = valueGrid(data, anchors);
  const { top } = data;
  const columns = { sheet, cols: Array.from({ length: width }, (_, x) => colAt(x)), top };
  const above = top > 0 ? headingsIn(model, view, columns, top - 1) : null;
  const inside = above || height < 2 ? null : headingsIn(model, view, columns, top);
  return above ?? inside ?? headingsBehindGap(model, view, columns);
}

function headingsBehindGap(model: WorkbookModel, view: CellView, columns: Columns): LostHeadings | null {
  const { top } = columns;
  for (let gap = 1; gap <= MAX_GAP && top - gap > 0; gap++) {
    const blank = titlesIn(model, view, columns, top - gap);
    if (!blank || blank.titles.some((title) => title !== null)) return null;
    const found = headingsIn(model, view, columns, top - gap - 1, true);
    if (!found) continue;
    const last = top;
    return gap === 1
      ? { ...found, reason: `row ${last} between them and the values is empty`, howToFix: 'Delete the empty row.' }
      : {
          ...found,
          reason: `rows ${last - gap + 1} to ${last} between them and the values are empty`,
          howToFix: 'Delete the empty rows.',
        };
  }
  return null;
}

/**
 * Returns null if the row does not read like headings of the block's columns: different texts over most of them, and
 * nothing else.
 */
function headingsIn(
  model: WorkbookModel,
  view: CellView,
  columns: Columns,
  row: number,
  mayBeWhole = false,
): LostHeadings | null {
  const found = titlesIn(model, view, columns, row);
  if (!found) return null;
  const { titles, merge } = found;
  const texts = titles.filter((title) => title !== null);
  const different = new Set(texts.map((title) => title.toLowerCase()));
  if (different.size < 2 || texts.length * 2 <= titles.length) return null;
  const give = 'Give each column its own heading';
  if (merge) {
    const cells = formatArea(model.sheets[columns.sheet]!.name, merge);
    return {
      row,
      titles,
      reason: `the cells ${cells} are merged`,
      howToFix: `Unmerge them. ${give}, directly above the values.`,
    };
  }
  const blank = titles.indexOf(null);
  if (blank >= 0) {
    const cell = cellText(model, columns.sheet, row, columns.cols[blank]!);
    return { row, titles, reason: `the cell ${cell} is empty`, howToFix: `Enter a heading in ${cell}.` };
  }
  const twice = texts.find((title, at) => texts.findIndex((one) => one.toLowerCase() === title.toLowerCase()) !== at);
  if (twice !== undefined) return { row, titles, reason: `'${twice}' appears there twice`, howToFix: `${give}.` };
  return mayBeWhole ? { row, titles, reason: '', howToFix: '' } : null;
}

/**
 * Returns the texts of a row above the columns; a text in merged cells counts for each of the merged columns. Returns
 * null if the row contains anything else.
 */
function titlesIn(
  model: WorkbookModel,
  view: CellView,
  { sheet, cols }: Columns,
  row: number,
): { titles: (string | null)[]; merge: CellBlock | null } | null {
  let merge: CellBlock | null = null;
  const titles: (string | null)[] = [];
  const merges = model.sheets[sheet]!.merges.filter(({ top, bottom }) => row >= top && row <= bottom);
  for (const col of cols) {
    const own = merges.find(({ left, right }) => col >= left && col <= right);
    const { value } = own ? view.cell(sheet, own.top, own.left) : view.cell(sheet, row, col);
    const text = typeof value === 'string' ? value.trim() : null;
    if (value !== null && text === null) return null;
    titles.push(text === '' ? null : text);
    if (own && text && cols.filter((other) => other >= own.left && other <= own.right).length > 1) merge ??= own;
  }
  return { titles, merge };
}

const cellText = (model: WorkbookModel, sheet: number, row: number, col: number): string =>
  formatArea(model.sheets[sheet]!.name, { top: row, bottom: row, left: col, right: col });
