/** Writes the XML of a Portal sheet for the options of marks, which defined names cannot express, in two tables. */
import { formatBlock, formatCell } from '#shared/codecs/cell-address.ts';
import { escapeAttribute } from '#shared/codecs/xml-escapes.ts';
import { INPUT_OPTIONS, OUTPUT_OPTIONS } from '#shared/rules/parameter-kinds.ts';
import type { MarkRole } from '#shared/contract/designs.ts';
import { valueXml } from '../cell-xml.ts';
import type { PlannedMark } from './mark-names.ts';

export interface PortalTable {
  name: 'PortalInputs' | 'PortalOutputs';
  columns: string[];
  rows: string[][];
}

const TABLE_OF_ROLE: Record<MarkRole, PortalTable['name']> = { Input: 'PortalInputs', Output: 'PortalOutputs' };

/** Returns the tables that the marks need; none if defined names suffice for all marks. */
export function portalTables(marks: readonly PlannedMark[]): PortalTable[] {
  return (['Input', 'Output'] as const).flatMap((role) => {
    const own = marks.filter(
      ({ mark, range }) => mark.Role === role && (range !== '' || Object.keys(mark.Options).length > 0),
    );
    if (own.length === 0) return [];
    const known = role === 'Input' ? INPUT_OPTIONS : OUTPUT_OPTIONS;
    const options = known.filter((name) => own.some(({ mark }) => name in mark.Options));
    const hasRanges = own.some(({ range }) => range !== '');
    const rows = own.map(({ mark, range }) => [
      mark.Name,
      ...(hasRanges ? [range] : []),
      ...options.map((name) => mark.Options[name] ?? ''),
    ]);
    return { name: TABLE_OF_ROLE[role], columns: ['Name', ...(hasRanges ? ['Range'] : []), ...options], rows };
  });
}

/** Returns the top row of each table on the sheet: one below the other, separated by a blank row. */
export function tableTops(tables: readonly PortalTable[]): number[] {
  let next = 0;
  return tables.map(({ rows }) => {
    const top = next;
    next += rows.length + 2;
    return top;
  });
}

export interface Namespaces {
  main: string;
  relationships: string;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAX_WIDTH = 60;

/** Returns the sheet with the tables, whose relationship ids are rId1 and so on. */
export function portalSheetXml(tables: readonly PortalTable[], { main, relationships }: Namespaces): string {
  const tops = tableTops(tables);
  const rows = tables.flatMap(({ columns, rows: body }, index) =>
    [columns, ...body].map((texts, at) => rowXml(tops[index]! + at, texts)),
  );
  const parts = tables.map((_, index) => `<tablePart r:id="rId${index + 1}"/>`).join('');
  return (
    `${HEAD}<worksheet xmlns="${main}" xmlns:r="${relationships}">${columnsXml(tables)}<sheetData>${rows.join('')}</sheetData>` +
    `<tableParts count="${tables.length}">${parts}</tableParts></worksheet>`
  );
}

function columnsXml(tables: readonly PortalTable[]): string {
  const count = Math.max(...tables.map(({ columns }) => columns.length));
  const width = (col: number): number =>
    Math.min(
      MAX_WIDTH,
      4 +
        Math.max(...tables.flatMap(({ columns, rows }) => [columns, ...rows].map((texts) => texts[col]?.length ?? 0))),
    );
  const columns = Array.from(
    { length: count },
    (_, col) => `<col min="${col + 1}" max="${col + 1}" width="${width(col)}" customWidth="1"/>`,
  );
  return `<cols>${columns.join('')}</cols>`;
}

function rowXml(row: number, texts: readonly string[]): string {
  const cells = texts.map((text, col) => {
    if (text === '') return '';
    const { type, content } = valueXml(text, false, '', row, col);
    return `<c r="${formatCell(row, col)}" t="${type}">${content}</c>`;
  });
  return `<row r="${row + 1}">${cells.join('')}</row>`;
}

/** Returns one of the tables; `id` is its number in the workbook. */
export function portalTableXml({ name, columns, rows }: PortalTable, top: number, id: number, main: string): string {
  const ref = formatBlock({ top, left: 0, bottom: top + rows.length, right: columns.length - 1 });
  const list = columns.map((column, index) => `<tableColumn id="${index + 1}" name="${escapeAttribute(column)}"/>`);
  return (
    `${HEAD}<table xmlns="${main}" id="${id}" name="${name}" displayName="${name}" ref="${ref}" totalsRowShown="0"><autoFilter ref="${ref}"/>` +
    `<tableColumns count="${columns.length}">${list.join('')}</tableColumns>` +
    '<tableStyleInfo name="TableStyleMedium2" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>'
  );
}
