/** Reads pivot tables as they are on sheets: what each row and column shows (ECMA-376 part 1, 18.10.1.73). */
import { parseBlock, type CellBlock } from '#shared/codecs/cell-address.ts';
import { readPivotCache, countPivotItem } from './pivot-cache.ts';
import type { PivotCache } from './pivot-cache.ts';
import { readRelationships } from './relationships.ts';
import type { WorkbookParts } from './relationships.ts';
import type { ReadingContext } from './sheet-cells.ts';
import type { PivotField, PivotLine, PivotTable } from './workbook-model.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { decodeExcelEscapes, toUtf8 } from './xml-text.ts';

/** Stands for the data fields among the fields of an axis. */
const DATA = -2;

interface Definition {
  name: string;
  location: string;
  /** Start of the values, relative to the corner of the location. */
  firstDataRow: number;
  firstDataCol: number;
  /** Number of rows and columns that the report filters are arranged in. */
  pageRows: number;
  pageCols: number;
  /** Per field: the cache index of each item, and its caption if it has one. */
  items: { cached: number; caption: string | null }[][];
  fields: { row: number[]; col: number[] };
  lines: { row: RawLine[]; col: RawLine[] };
  pages: { field: number; item: number | null }[];
  data: { name: string; field: number }[];
}

interface RawLine {
  kind: string;
  dataField: number;
  /** Items of the axis fields, starting with the first. Items that are not repeated come from the line before. */
  items: number[];
}

/**
 * Returns the pivot table of a part; null if it is not on a sheet or its cache is missing. `caches` holds the caches
 * read so far.
 */
export function readPivotTable(
  parts: WorkbookParts,
  path: string,
  sheet: number,
  caches: Map<string, PivotCache>,
  context: ReadingContext,
): PivotTable | null {
  const bytes = parts.part(path);
  const cache = readRelationships(parts, path, context.limits).find(({ type }) => type === 'pivotCacheDefinition');
  const cacheBytes = cache && !cache.external ? parts.part(cache.target) : undefined;
  if (!bytes || !cache || !cacheBytes) return null;
  const known = caches.get(cache.target);
  const read = known ?? readPivotCache(toUtf8(cacheBytes, cache.target), cache.target, context);
  caches.set(cache.target, read);
  const { fields, sources } = read;
  const definition = readDefinition(toUtf8(bytes, path), path, context);
  const block = parseBlock(definition.location);
  if (!block) return null;
  const { firstDataRow, firstDataCol } = definition;
  return {
    name: definition.name,
    sheet,
    block,
    sources,
    pageBlock: pageBlock(block, definition),
    fields: fields.map((field, at) => shownField(field, definition.items[at] ?? [])),
    data: definition.data.map(({ name, field }) => [name, fields[field]?.name ?? name]),
    rows: lines(definition, 'row', block.top + firstDataRow),
    cols: lines(definition, 'col', block.left + firstDataCol),
    pages: definition.pages,
  };
}

/**
 * Report filters are above the table, separated by one row. Each takes a column of names and a column of selections,
 * with one column between filters.
 */
function pageBlock({ top, left }: CellBlock, { pageRows, pageCols }: Definition): CellBlock | null {
  if (pageRows < 1 || pageCols < 1 || pageRows >= top) return null;
  return { top: top - 1 - pageRows, left, bottom: top - 2, right: left + 3 * pageCols - 2 };
}

/** Returns the field with its items in the order of the table. */
function shownField(field: PivotField, shown: Definition['items'][number]): PivotField {
  return {
    ...field,
    items: shown.map(({ cached, caption }) => caption ?? field.items[cached] ?? null),
    order: shown.map(({ cached }) => cached),
  };
}

function lines({ fields, lines: raw }: Definition, axis: 'row' | 'col', first: number): PivotLine[] {
  const own = fields[axis];
  return raw[axis].map(({ kind, dataField, items }, at) => ({
    at: first + at,
    kind,
    dataField: own.includes(DATA) ? dataField : null,
    items: items.flatMap((item, level) => {
      const field = own[level];
      return kind === 'grand' || field === undefined || field < 0 ? [] : [{ field, item }];
    }),
  }));
}

function readDefinition(bytes: Uint8Array, path: string, context: ReadingContext): Definition {
  const definition: Definition = {
    name: '',
    location: '',
    firstDataRow: 1,
    firstDataCol: 1,
    pageRows: 0,
    pageCols: 0,
    items: [],
    fields: { row: [], col: [] },
    lines: { row: [], col: [] },
    pages: [],
    data: [],
  };
  const xml = new XmlScanner(bytes, path, context.limits);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Open) readElement(xml, definition, context);
  }
  return definition;
}

function readElement(xml: XmlScanner, definition: Definition, context: ReadingContext): void {
  const whole = (name: string, otherwise: number): number => {
    const number = Number(xml.attribute(name) ?? otherwise);
    return Number.isSafeInteger(number) ? number : otherwise;
  };
  switch (xml.name) {
    case 'pivotTableDefinition':
      definition.name = decodeExcelEscapes(xml.attribute('name') ?? '');
      break;
    case 'location':
      definition.location = xml.attribute('ref') ?? '';
      definition.firstDataRow = whole('firstDataRow', 1);
      definition.firstDataCol = whole('firstDataCol', 1);
      definition.pageRows = whole('rowPageCount', 0);
      definition.pageCols = whole('colPageCount', 0);
      break;
    case 'pivotField':
      countPivotItem(context);
      definition.items.push([]);
      break;
    case 'item': {
      countPivotItem(context);
      const caption = xml.attribute('n');
      const item = { cached: whole('x', -1), caption: caption === undefined ? null : decodeExcelEscapes(caption) };
      definition.items.at(-1)?.push(item);
      break;
    }
    case 'rowFields':
    case 'colFields':
      definition.fields[xml.name === 'rowFields' ? 'row' : 'col'] = readAll(xml, 'field', context);
      break;
    case 'rowItems':
    case 'colItems':
      readLines(xml, definition.lines[xml.name === 'rowItems' ? 'row' : 'col'], context);
      break;
    case 'pageField': {
      const item = whole('item', -1);
      definition.pages.push({ field: whole('fld', -1), item: item < 0 ? null : item });
      break;
    }
    case 'dataField':
      definition.data.push({ name: decodeExcelEscapes(xml.attribute('name') ?? ''), field: whole('fld', -1) });
      break;
    // Formats, filters and extensions reuse element names with other meanings.
    case 'formats':
    case 'conditionalFormats':
    case 'chartFormats':
    case 'pivotHierarchies':
    case 'filters':
    case 'autoSortScope':
    case 'extLst':
      xml.skip();
      break;
    default:
  }
}

function readAll(xml: XmlScanner, name: string, context: ReadingContext): number[] {
  const numbers: number[] = [];
  const depth = xml.depth;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token !== XmlToken.Open || xml.name !== name) continue;
    countPivotItem(context);
    numbers.push(Number(xml.attribute(name === 'field' ? 'x' : 'v') ?? 0));
  }
  return numbers;
}

function readLines(xml: XmlScanner, found: RawLine[], context: ReadingContext): void {
  const depth = xml.depth;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token !== XmlToken.Open || xml.name !== 'i') continue;
    countPivotItem(context);
    const kind = xml.attribute('t') ?? 'data';
    const dataField = Number(xml.attribute('i') ?? 0);
    const repeated = found.at(-1)?.items.slice(0, Number(xml.attribute('r') ?? 0)) ?? [];
    found.push({ kind, dataField, items: [...repeated, ...readAll(xml, 'x', context)] });
  }
}
