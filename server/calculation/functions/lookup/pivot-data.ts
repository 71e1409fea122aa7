/**
 * GETPIVOTDATA: finds a value shown in a pivot table by its items. As in Excel, a value that the table does not show is
 * #REF!. Values are those of the saved file, because pivot tables are not refreshed here.
 * Source: Microsoft, 'GETPIVOTDATA function'.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { intersectBlocks } from '#server/calculation/syntax/areas.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { REF_ERROR, toText } from '#server/calculation/values/coerce.ts';
import { parseValueText } from '#server/calculation/values/parse-value.ts';
import { Areas, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import type { PivotField, PivotItem, PivotLine, PivotTable } from '#server/calculation/reader/workbook-model.ts';
import { singleOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';

/** A requested item of a field, both by index. */
interface Wanted {
  field: number;
  item: number;
}

function getPivotData([data, reference, ...pairs]: FormulaValue[], context: CallContext): FormulaValue {
  if (isReference(data) && !isReference(reference)) return pivotDataOfText(data, reference, context);
  const name = toText(singleOf(data));
  if (name instanceof CellError) return name;
  const table = tableAt(reference, context);
  if (!table || pairs.length % 2 !== 0) return REF_ERROR;
  const dataField = dataFieldCalled(table, name);
  if (dataField < 0) return REF_ERROR;
  const wanted: Wanted[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const field = toText(singleOf(pairs[at]));
    if (field instanceof CellError) return field;
    const item = singleOf(pairs[at + 1]) ?? null;
    if (item instanceof CellError) return item;
    const found = itemCalled(table, field, item);
    if (!found) return REF_ERROR;
    if (isShownPage(table, found)) continue;
    wanted.push(found);
  }
  return valueOf(table, dataField, wanted, context);
}

const isReference = (arg: FormulaValue): boolean => arg instanceof Range || arg instanceof Areas;

/**
 * The syntax from before Excel 2002, GETPIVOTDATA(A3,"Sales East 'Year'['2024';Max]"): one text names the data field
 * and the items.
 */
function pivotDataOfText(reference: FormulaValue, words: FormulaValue, context: CallContext): FormulaValue {
  const text = toText(singleOf(words));
  if (text instanceof CellError) return text;
  const table = tableAt(reference, context);
  const asked = table && askedInText(text, table);
  if (!asked) return REF_ERROR;
  const wanted = asked.wanted.filter((item) => !isShownPage(table, item));
  return valueOf(table, asked.dataField, wanted, context, asked.subtotal);
}

/**
 * Finds the table of a reference. Any cell of the table identifies it, including its report filters. If tables overlap,
 * which Excel does not allow, the last one is used.
 */
function tableAt(reference: FormulaValue, context: CallContext): PivotTable | undefined {
  const range = reference instanceof Areas ? reference.ranges[0] : reference;
  if (!(range instanceof Range)) return undefined;
  const tables = context.pivotTables().filter(({ sheet }) => sheet === range.sheet);
  const isIn = (block: CellBlock | null): boolean => block !== null && intersectBlocks(block, range.block) !== null;
  return tables.findLast(({ block }) => isIn(block)) ?? tables.findLast(({ pageBlock }) => isIn(pageBlock));
}

const keyOf = (text: string): string => text.trim().toLowerCase();

/** Finds a data field by its own name ('Sum of Sales'), otherwise by the name of its source ('Sales'). */
function dataFieldCalled({ data }: PivotTable, name: string): number {
  const key = keyOf(name);
  if (key === '' && data.length === 1) return 0;
  const own = data.findIndex(([shown]) => keyOf(shown) === key);
  return own >= 0 ? own : data.findIndex(([, source]) => keyOf(source) === key);
}

function itemCalled({ fields }: PivotTable, name: string, item: CellValue): Wanted | null {
  const key = keyOf(name);
  const field = fields.findIndex((candidate) => keyOf(candidate.name) === key);
  if (field < 0) return null;
  const at = itemIndex(fields[field]!, item);
  return at < 0 ? null : { field, item: at };
}

function itemIndex({ items, isNumbered, order }: PivotField, wanted: CellValue): number {
  // Period groups can also be requested by their number, which is their position in the cache.
  if (isNumbered && typeof wanted === 'number') return order?.indexOf(wanted) ?? -1;
  return items.findIndex((item) => isSame(item, wanted));
}

function isSame(item: PivotItem, wanted: CellValue): boolean {
  if (typeof item === 'number') {
    const number = typeof wanted === 'string' ? parseValueText(wanted) : wanted;
    return item === number;
  }
  const text = toText(wanted) as string;
  if (item === null) return text === '' || keyOf(text) === '(blank)';
  return keyOf(toText(item) as string) === keyOf(text);
}

interface Asked {
  dataField: number;
  wanted: Wanted[];
  /** The function of the requested subtotal, by its name in files. */
  subtotal: string | null;
}

/** Subtotal functions by their English names in the text syntax. */
const SUBTOTALS: Readonly<Record<string, string>> = {
  sum: 'sum',
  count: 'countA',
  average: 'avg',
  max: 'max',
  min: 'min',
  product: 'product',
  'count nums': 'count',
  stddev: 'stdDev',
  stddevp: 'stdDevP',
  var: 'var',
  varp: 'varP',
};

/** Matches a name, quoted in apostrophes or without spaces, and the text in brackets after it. */
const WORD = /\s*('(?:[^']|'')*'|[^\s['\]]+)(?:\[([^\]]*)\])?/y;
const unquoted = (name: string): string =>
  name.trim().replace(/^'(.*)'$/s, (_, inner: string) => inner.replaceAll("''", "'"));

/**
 * Parses the data field, items and `Field[item;function]` in any order; null if a word is unknown, or names an item
 * that is on no axis.
 */
function askedInText(text: string, table: PivotTable): Asked | null {
  const asked: Asked = { dataField: 0, wanted: [], subtotal: null };
  let rest = text.trim();
  const named = table.data.findIndex(([shown]) => `${keyOf(rest)} `.startsWith(`${keyOf(shown)} `));
  if (named >= 0) {
    asked.dataField = named;
    rest = rest.slice(table.data[named]![0].length);
  }
  WORD.lastIndex = 0;
  while (WORD.lastIndex < rest.trimEnd().length) {
    const match = WORD.exec(rest);
    if (!match || !takeWord(asked, unquoted(match[1]!), match[2], table)) return null;
  }
  return asked;
}

/** Finds the item, of any field, that a line shows or a filter selects. */
function itemShown({ fields, rows, cols, pages }: PivotTable, name: string): Wanted | undefined {
  const isMeant = ({ field, item }: { field: number; item: number | null }): boolean =>
    item !== null && item === itemIndex(fields[field]!, name);
  return [...rows, ...cols].flatMap(({ items }) => items).find(isMeant) ?? (pages.find(isMeant) as Wanted | undefined);
}

function takeWord(asked: Asked, name: string, inBrackets: string | undefined, table: PivotTable): boolean {
  if (inBrackets === undefined) {
    const dataField = dataFieldCalled(table, name);
    const found = itemShown(table, name);
    if (found) asked.wanted.push(found);
    else if (dataField >= 0) asked.dataField = dataField;
    return found !== undefined || dataField >= 0;
  }
  const [item, subtotal] = inBrackets.split(';').map(unquoted);
  const found = itemCalled(table, name, item!);
  if (found) asked.wanted.push(found);
  if (subtotal === undefined) return found !== null;
  asked.subtotal = SUBTOTALS[keyOf(subtotal)] ?? null;
  return found !== null && asked.subtotal !== null;
}

/** Returns true if the item is the selected one of a report filter; it then applies to the whole table. */
function isShownPage({ pages }: PivotTable, { field, item }: Wanted): boolean {
  return pages.some((page) => page.field === field && page.item === item);
}

function valueOf(
  table: PivotTable,
  dataField: number,
  wanted: Wanted[],
  context: CallContext,
  subtotal: string | null = null,
): FormulaValue {
  const rowFields = new Set(table.rows.flatMap(({ items }) => items.map(({ field }) => field)));
  const colFields = new Set(table.cols.flatMap(({ items }) => items.map(({ field }) => field)));
  const inRows = wanted.filter(({ field }) => rowFields.has(field));
  const inCols = wanted.filter(({ field }) => colFields.has(field));
  if (inRows.length + inCols.length !== wanted.length) return REF_ERROR;
  let rows = linesOf(table.rows, inRows, dataField);
  let cols = linesOf(table.cols, inCols, dataField);
  if (subtotal !== null) {
    const isMeant = ({ kind }: PivotLine): boolean => kind === subtotal;
    if (rows.some(isMeant)) rows = rows.filter(isMeant);
    else cols = cols.filter(isMeant);
  }
  context.spend(table.rows.length + table.cols.length);
  for (const row of rows) {
    for (const col of cols) {
      const value = context.cells.cell(table.sheet, row.at, col.at);
      // The heading of a group with its subtotal below shows no value.
      if (value !== null || (rows.length === 1 && cols.length === 1)) return value ?? 0;
    }
  }
  return rows.length > 0 && cols.length > 0 ? 0 : REF_ERROR;
}

/** Returns the lines of exactly the wanted items; a separate subtotal precedes the heading of its group. */
function linesOf(lines: readonly PivotLine[], wanted: readonly Wanted[], dataField: number): PivotLine[] {
  return lines
    .filter(
      (line) =>
        line.kind !== 'blank' &&
        (line.dataField === null || line.dataField === dataField) &&
        line.items.length === wanted.length &&
        wanted.every(({ field, item }) => line.items.some((own) => own.field === field && own.item === item)),
    )
    .sort((a, b) => Number(a.kind !== 'default') - Number(b.kind !== 'default'));
}

export const pivotFunctions: FunctionDefinition[] = [
  defineFunction('GETPIVOTDATA', 'rrvv', getPivotData, { required: 2, repeat: 2 }),
];
