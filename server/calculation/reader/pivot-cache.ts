/** Reads the source of a pivot table, its fields and their items from its saved cache (ECMA-376 part 1, 18.10.1). */
import { isoToSerial } from './iso-date.ts';
import type { ReadingContext } from './sheet-cells.ts';
import { WorkbookFileError } from './workbook-file-error.ts';
import type { PivotField, PivotItem, PivotSource } from './workbook-model.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { decodeExcelEscapes } from './xml-text.ts';

/** Counts pivot items against the workbook's cell limit. */
export function countPivotItem(context: ReadingContext): void {
  if (context.cellsLeft-- > 0) return;
  throw new WorkbookFileError('tooManyCells', 'The pivot tables of the workbook are too large. Remove some of them.');
}

/** Periods whose items are numbered from 1, as DATE and MONTH count them. */
const NUMBERED: ReadonlySet<string> = new Set(['seconds', 'minutes', 'hours', 'days', 'months', 'quarters']);

export interface PivotCache {
  /** In the order that other parts refer to; the items of grouped fields are the groups. */
  fields: PivotField[];
  /** Sources in this workbook: several if Excel consolidates ranges, none if the data comes from elsewhere. */
  sources: PivotSource[];
}

export function readPivotCache(bytes: Uint8Array, path: string, context: ReadingContext): PivotCache {
  const fields: PivotField[] = [];
  const sources: PivotSource[] = [];
  const xml = new XmlScanner(bytes, path, context.limits);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'extLst') xml.skip();
    else if (xml.name === 'worksheetSource' || xml.name === 'rangeSet') {
      countPivotItem(context);
      // A relationship leads to another workbook.
      if (xml.prefixedAttribute('id') === undefined) sources.push(readSource(xml));
    } else if (xml.name === 'cacheField') {
      countPivotItem(context);
      fields.push({ name: decodeExcelEscapes(xml.attribute('name') ?? ''), items: [], isNumbered: false });
    } else if (xml.name === 'sharedItems' || xml.name === 'groupItems') {
      const items = readItems(xml, context);
      const field = fields.at(-1);
      if (field && items.length > 0) field.items = items;
    } else if (xml.name === 'rangePr') {
      const field = fields.at(-1);
      if (field) field.isNumbered = NUMBERED.has(xml.attribute('groupBy') ?? '');
    }
  }
  return { fields, sources };
}

function readSource(xml: XmlScanner): PivotSource {
  const [sheet, ref, name] = ['sheet', 'ref', 'name'].map((attribute) => {
    const text = xml.attribute(attribute);
    return text === undefined ? null : decodeExcelEscapes(text);
  });
  return { sheet: sheet ?? null, ref: ref ?? null, name: name ?? null };
}

function readItems(xml: XmlScanner, context: ReadingContext): PivotItem[] {
  const items: PivotItem[] = [];
  const depth = xml.depth;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token !== XmlToken.Open || xml.depth !== depth + 1) continue;
    countPivotItem(context);
    items.push(itemValue(xml.name, xml.attribute('v') ?? '', context.date1904));
  }
  return items;
}

function itemValue(kind: string, text: string, date1904: boolean): PivotItem {
  switch (kind) {
    case 'n':
      return Number(text);
    case 'b':
      return text === '1' || text === 'true';
    case 'd':
      return isoToSerial(text, date1904) ?? text;
    case 'm':
      return null;
    default:
      return decodeExcelEscapes(text);
  }
}
