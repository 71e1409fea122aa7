/** Tables and views as described by the catalog of a database. */

export interface TableName {
  schema: string;
  name: string;
}

export interface CatalogColumn {
  name: string;
  /** As in a declaration, with length and precision: 'numeric(12,2)', 'nvarchar(40)'. */
  type: string;
  /** Kind of the values. Times of day, intervals, and types that databases cannot compare count as texts. */
  kind: 'Number' | 'Text' | 'Date' | 'Boolean';
  /** How the database writes and compares the values. */
  storage: ColumnStorage;
  isNullable: boolean;
  canSort: boolean;
}

export type ColumnStorage =
  /** Values are compared directly with bound texts. */
  | 'text'
  /** SQL Server's char and varchar: their indexes cannot be used for comparisons with nvarchar. */
  | 'narrowText'
  | 'exactNumber'
  | 'money'
  | 'float'
  | 'date'
  | 'dateTime'
  | 'boolean'
  /**
   * A type that databases sort differently from texts, such as interval, time or uuid: a typed text is compared as a
   * value of that type.
   */
  | 'ordered'
  | 'bytes'
  /** SQL Server types of .NET libraries, such as geography. */
  | 'object'
  | 'other';

export interface CatalogTable {
  table: TableName;
  columns: CatalogColumn[];
  /** Columns that identify rows and are never null; empty if the catalog has no such key. */
  key: CatalogColumn[];
}

/** Returns 'schema.table', the form in which people and rights name tables. */
export const fullName = ({ schema, name }: TableName): string => `${schema}.${name}`;
