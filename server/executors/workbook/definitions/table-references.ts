/**
 * Parses structured references: 'Table1', 'Table1[#All]', 'Table1[[#Data],[From]:[To]]'. Source: ECMA-376 part 1,
 * 18.17.2.
 */
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { tableBody } from './blocks.ts';
import type { Problem } from './problems.ts';
import { problem } from './problems.ts';

export interface TableReference {
  sheet: number;
  table: TableModel;
  /** The data of the named columns. */
  block: CellBlock;
}

/** Returns null if the text is not a reference to a table. */
export function parseTableReference(model: WorkbookModel, text: string): TableReference | { problem: Problem } | null {
  const match = /^([\p{L}_\\][\p{L}\p{N}_.\\]*)\s*(\[.*\])?$/su.exec(text);
  if (!match) return null;
  const table = findTable(model, match[1]!);
  if (!table) {
    if (match[2] === undefined) return null;
    return {
      problem: problem(`refers to the table '${match[1]}', which does not exist`, 'Enter the name of an Excel table.'),
    };
  }
  const parts = bracketParts(match[2] ?? '');
  const items = parts.filter((part) => part.startsWith('#')).map((part) => part.toLowerCase());
  if (
    items.some((item) => !['#data', '#all', '#headers'].includes(item)) ||
    (items.length === 1 && items[0] === '#headers')
  )
    return {
      problem: problem('points to a part of a table that is not its data', `Change it to point to ${table.name}.`),
    };
  const columns = parts.filter((part) => part !== '' && !part.startsWith('#')).map((part) => columnOf(table, part));
  if (columns.includes(-1))
    return {
      problem: problem(`refers to a column that the table ${table.name} does not have`, 'Enter an existing column.'),
    };
  const body = tableBody(table);
  if (columns.length === 0) return { sheet: table.sheet, table, block: body };
  const left = body.left + Math.min(...columns);
  const right = body.left + Math.max(...columns);
  return { sheet: table.sheet, table, block: { ...body, left, right } };
}

export function findTable(model: WorkbookModel, name: string): TableModel | undefined {
  return model.tables.find((table) => table.name.toLowerCase() === name.toLowerCase());
}

function columnOf(table: TableModel, name: string): number {
  return table.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
}

/** Returns the names between the brackets. An apostrophe escapes the next character. */
function bracketParts(text: string): string[] {
  if (text === '') return [];
  const inner = text.slice(1, -1);
  const nested = [...inner.matchAll(/\[((?:[^[\]']|'.)*)\]/gs)].map((match) => match[1]!);
  return (nested.length > 0 ? nested : [inner]).map((part) => part.replace(/'(.)/gs, '$1').trim());
}
