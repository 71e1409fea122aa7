/** Resolves the text of a name or of a Range column to the cells it refers to. */
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { MAX_COLS, MAX_ROWS, parseBlock } from '#shared/codecs/cell-address.ts';
import { heightOf, intersects, sameBlock, tableBody, widthOf } from './blocks.ts';
import type { Problem } from './problems.ts';
import { problem } from './problems.ts';
import { parseTableReference } from './table-references.ts';

/** The cells that a text refers to. */
export interface Area {
  sheet: number;
  /** For a table or some of its columns: only the data. */
  block: CellBlock;
  /** The table if the block is exactly its data (all of its rows). */
  table: TableModel | null;
  /** A table that the block covers only partly. */
  cuts: TableModel | null;
  /** True for a reference to a dynamic array (A1#): the block is what the array filled when the file was saved. */
  spills: boolean;
}

export type AreaResult = { area: Area } | { problem: Problem };

/** Maximum number of names followed from one name to the next. A longer chain counts as a circular reference. */
const MAX_NAMES_FOLLOWED = 20;

/**
 * Resolves 'Sheet1!$A$1:$B$4', 'Table1', 'Table1[Column]', 'Sheet1!A1#' or a defined name. `sheet` is the sheet of
 * addresses without a sheet, and its sheet-level names take precedence; null if there is none.
 */
export function resolveArea(model: WorkbookModel, text: string, sheet: number | null, steps = 0): AreaResult {
  const written = text.trim().replace(/^=/, '').trim();
  if (written === '') return fail('is empty', 'Change it to point to cells of the workbook.');
  if (/#REF!/i.test(written))
    return fail('points to cells that no longer exist (#REF!)', 'Change it to point to existing cells, or delete it.');
  const table = parseTableReference(model, written);
  if (table) return 'problem' in table ? table : withArea(model, table.sheet, table.block, table.table, false);
  if (isExternal(written))
    return fail(
      'points to another workbook',
      'Change it to point to cells of this workbook, or copy those cells into it.',
    );
  const anchor = /^(?:_xlfn\.)?ANCHORARRAY\((.+)\)$/i.exec(written)?.[1] ?? /^(.+)#$/.exec(written)?.[1];
  if (anchor !== undefined) return resolveSpill(model, anchor, sheet, steps);
  if (splitAreas(written).length > 1)
    return fail('points to several areas', 'Change it to point to one block of cells; give each area its own name.');
  return resolveAddress(model, written, sheet) ?? resolveName(model, written, sheet, steps);
}

const fail = (message: string, howToFix: string): AreaResult => ({ problem: problem(message, howToFix) });

const isExternal = (text: string): boolean => /^'?[^'!]*\[[^\]]+\][^!]*!/.test(text);

/** Splits a union, 'A1,B2' or '(A1,B2)', at commas outside quotes and parentheses. */
function splitAreas(text: string): string[] {
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1] ?? text;
  const parts = [''];
  let depth = 0;
  let quoted = false;
  for (const letter of inner) {
    if (letter === "'") quoted = !quoted;
    else if (!quoted && (letter === '(' || letter === '{')) depth += 1;
    else if (!quoted && (letter === ')' || letter === '}')) depth -= 1;
    if (letter === ',' && !quoted && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

const QUALIFIED = /^(?:'((?:[^']|'')+)'|([^'!(){},"\s]+))!(.+)$/s;

/** Returns null if the text is not an address. */
function resolveAddress(model: WorkbookModel, text: string, sheet: number | null): AreaResult | null {
  const match = QUALIFIED.exec(text);
  const sheetName = match ? (match[1]?.replaceAll("''", "'") ?? match[2]!) : null;
  const address = match
    ? match[3]!.replace(new RegExp(`:${escapeRegExp(text.slice(0, -match[3]!.length))}`, 'i'), ':')
    : text;
  const block = parseBlock(address.trim());
  if (!block) return match && sheetIndex(model, sheetName!) < 0 ? unknownSheet(sheetName!) : null;
  const index = sheetName === null ? sheet : sheetIndex(model, sheetName);
  if (index === null)
    return fail('does not specify a sheet', "Write the sheet before the cells, as in 'Sheet1!A1:B4'.");
  if (index < 0) return unknownSheet(sheetName!);
  if (heightOf(block) === MAX_ROWS || widthOf(block) === MAX_COLS)
    return fail('covers whole columns or rows', 'Limit it to the cells in use, or convert them to an Excel table.');
  return withArea(model, index, block, null, false);
}

function unknownSheet(name: string): AreaResult {
  return name.includes(':')
    ? fail('points to several sheets', 'Change it to point to one block of cells on one sheet.')
    : fail(`points to a sheet '${name}' that does not exist`, 'Change it to point to existing cells.');
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export function sheetIndex(model: WorkbookModel, name: string): number {
  return model.sheets.findIndex((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
}

function resolveName(model: WorkbookModel, text: string, sheet: number | null, steps: number): AreaResult {
  const match = QUALIFIED.exec(text);
  const scope = match ? sheetIndex(model, match[1]?.replaceAll("''", "'") ?? match[2]!) : sheet;
  const wanted = (match ? match[3]! : text).toLowerCase();
  const named = model.names.filter(({ name }) => name.toLowerCase() === wanted);
  const found = named.find((name) => name.sheet === scope) ?? named.find((name) => name.sheet === null);
  if (found && steps >= MAX_NAMES_FOLLOWED) return fail('points to itself', 'Change it to point to cells.');
  if (found) return resolveArea(model, found.text, found.sheet ?? sheet, steps + 1);
  const isWord = /^[\p{L}_\\][\p{L}\p{N}_.\\?]*$/u.test(text) && !/^(true|false)$/i.test(text);
  return isWord
    ? fail(`refers to '${text}', which the workbook does not have`, 'Enter cells, a defined name or an Excel table.')
    : fail(
        'holds a constant or a formula instead of cells',
        'Put it into a cell, and change the name to point to that cell.',
      );
}

function resolveSpill(model: WorkbookModel, anchor: string, sheet: number | null, steps: number): AreaResult {
  const start = resolveArea(model, anchor, sheet, steps + 1);
  if ('problem' in start) return start;
  const { block } = start.area;
  const formula = model.sheets[start.area.sheet]!.cells.formulaTable.find(
    ({ kind, cell }) => kind === 'dynamicArray' && cell.row === block.top && cell.col === block.left,
  );
  if (!formula) return fail('ends with #, but that cell holds no dynamic array', 'Remove the # or enter the formula.');
  return withArea(model, start.area.sheet, formula.block ?? block, null, true);
}

function withArea(
  model: WorkbookModel,
  sheet: number,
  block: CellBlock,
  named: TableModel | null,
  spills: boolean,
): AreaResult {
  if (named) {
    const cuts = sameBlock(tableBody(named), block) ? null : named;
    return { area: { sheet, block, table: named, cuts, spills } };
  }
  const touched = model.tables.filter((table) => table.sheet === sheet && intersects(table.block, block));
  const whole = touched.find((table) => coversTable(table, block));
  if (whole) return { area: { sheet, block: tableBody(whole), table: whole, cuts: null, spills } };
  const columns = touched.find((table) => coversColumns(table, block));
  return { area: { sheet, block, table: columns ?? null, cuts: touched[0] ?? null, spills } };
}

/** Returns true if the block covers a whole table, with or without its header and totals. */
function coversTable(table: TableModel, block: CellBlock): boolean {
  const body = tableBody(table);
  return [table.block, body, { ...body, top: table.block.top }, { ...body, bottom: table.block.bottom }].some((shape) =>
    sameBlock(shape, block),
  );
}

function coversColumns(table: TableModel, block: CellBlock): boolean {
  const body = tableBody(table);
  return block.top === body.top && block.bottom === body.bottom && block.left >= body.left && block.right <= body.right;
}
