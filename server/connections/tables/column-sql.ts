/**
 * SQL for a table column: as exact text, and for values of its type. Values are always bound; names come from the
 * catalog.
 */
import { quoteName, type SqlKind, type SqlFragment } from '#shared/codecs/query-text.ts';
import type { CatalogColumn } from './types.ts';

/** Qualified by the table, so that ORDER BY does not take it for a result column. */
export const columnName = ({ name }: CatalogColumn, kind: SqlKind): string => `t.${quoteName(name, kind)}`;

/**
 * Returns the value as text without losses, because drivers return decimals and large integers as doubles. Styles of
 * SQL Server: 121 is a date with all digits of the second, 3 the 17 digits of a float, 2 the four decimals of money, 1
 * bytes with 0x. Source: CAST and CONVERT (Transact-SQL), "Date and time styles", "float and real styles", "money and
 * smallmoney styles", "Binary styles".
 */
export function textOf(column: CatalogColumn, kind: SqlKind): string {
  const name = columnName(column, kind);
  if (kind === 'pg') {
    if (column.storage === 'boolean') return `upper(${name}::text)`;
    // The text of money follows the locale of the database: '$1,234.50', '1.234,50 €'.
    return column.storage === 'money' ? `${name}::numeric::text` : `${name}::text`;
  }
  switch (column.storage) {
    case 'text':
      return name;
    case 'float':
      return `convert(nvarchar(60), ${name}, 3)`;
    case 'money':
      return `convert(nvarchar(60), ${name}, 2)`;
    case 'date':
      return `convert(nvarchar(10), ${name}, 23)`;
    case 'dateTime':
      return `convert(nvarchar(40), ${name}, 121)`;
    case 'boolean':
      return `case ${name} when 1 then N'TRUE' when 0 then N'FALSE' end`;
    case 'bytes':
      return `convert(nvarchar(max), convert(varbinary(max), ${name}), 1)`;
    case 'object':
      return `${name}.ToString()`;
    default:
      return `convert(nvarchar(max), ${name})`;
  }
}

/** Converts a text from textOf back to a value of the column's type. */
export function valueOfText(column: CatalogColumn, text: string, kind: SqlKind): SqlFragment[] {
  // Money would also parse '1234.50' by the locale of the database; it accepts a number independently of it.
  if (kind === 'pg')
    return [{ value: text }, { text: `${column.storage === 'money' ? '::numeric' : ''}::${column.type}` }];
  switch (column.storage) {
    case 'text':
      return [{ value: text }];
    case 'boolean':
      return [{ text: 'convert(bit, ' }, { value: text === 'TRUE' ? 1 : 0 }, { text: ')' }];
    case 'bytes':
      return [{ text: 'convert(varbinary(max), ' }, { value: text }, { text: ', 1)' }];
    case 'dateTime':
      return [{ text: `convert(${column.type}, ` }, { value: text }, { text: ', 121)' }];
    default:
      return [{ text: `convert(${column.type}, ` }, { value: text }, { text: ')' }];
  }
}

/**
 * Converts a text that a person typed, for comparison with a text column, or with a column whose type sorts differently
 * from texts.
 */
export function typedText(column: CatalogColumn, text: string, kind: SqlKind): SqlFragment[] {
  if (column.storage === 'ordered') return valueOfText(column, text, kind);
  if (kind === 'pg') return [{ value: text }, { text: '::text' }];
  // Other characters may not exist in its code page and would become question marks.
  const isNarrow = column.storage === 'narrowText' && /^[\x20-\x7e]*$/.test(text);
  return isNarrow ? [{ text: 'convert(varchar(8000), ' }, { value: text }, { text: ')' }] : [{ value: text }];
}
