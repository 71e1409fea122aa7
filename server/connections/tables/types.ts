/** Tables and views as the catalog of a database describes them. */

export interface TableName {
  schema: string;
  name: string;
}

export interface CatalogColumn {
  name: string;
  /** As a declaration writes it, with length and precision: 'numeric(12,2)', 'nvarchar(40)'. */
  type: string;
  /** What it holds. Times of day, intervals, and what databases cannot compare, count as texts. */
  kind: 'Number' | 'Text' | 'Date' | 'Boolean';
  /** How the database writes and compares it. */
  storage: ColumnStorage;
  isNullable: boolean;
  canSort: boolean;
}

export type ColumnStorage =
  /** Its values are compared as they are with bound texts. */
  | 'text'
  /** SQL Server's char and varchar: an index of theirs does not serve a comparison with nvarchar. */
  | 'narrowText'
  | 'exactNumber'
  | 'money'
  | 'float'
  | 'date'
  | 'dateTime'
  | 'boolean'
  /** Of a type that databases sort otherwise than texts, such as interval, time or uuid: a typed text is compared as a value of that type. */
  | 'ordered'
  | 'bytes'
  /** SQL Server's types that a library of .NET brings, such as geography. */
  | 'object'
  | 'other';

export interface CatalogTable {
  table: TableName;
  columns: CatalogColumn[];
  /** Columns that tell rows apart, none of them ever null; none where the catalog names no such. */
  key: CatalogColumn[];
}

/** 'schema.table': how tables are named by people and in rights. */
export const fullName = ({ schema, name }: TableName): string => `${schema}.${name}`;
