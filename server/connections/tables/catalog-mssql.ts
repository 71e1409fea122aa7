/**
 * Reads tables from SQL Server's catalog, which shows only what the login may see. Source: Transact-SQL reference,
 * "Object catalog views".
 */
import type { CatalogColumn, ColumnStorage } from './types.ts';

export const LIST_MSSQL = `select s.name, o.name from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
  where o.type in ('U', 'V') and o.is_ms_shipped = 0 order by s.name, o.name`;

/** Reads the columns of the table with the full name @p0. The name is unique unless names contain dots. */
export const COLUMNS_MSSQL = `select s.name, o.name, c.name,
    coalesce(type_name(c.system_type_id), type_name(c.user_type_id)), c.is_nullable, ic.key_ordinal,
    (select count(*) from sys.index_columns kc where kc.object_id = ic.object_id and kc.index_id = ic.index_id and kc.key_ordinal > 0),
    c.max_length, c.precision, c.scale, t.is_assembly_type
  from sys.objects o join sys.schemas s on s.schema_id = o.schema_id join sys.columns c on c.object_id = o.object_id
  join sys.types t on t.user_type_id = c.user_type_id
  left join sys.index_columns ic on ic.object_id = o.object_id and ic.column_id = c.column_id and ic.key_ordinal > 0
    and ic.index_id = (select top (1) i.index_id from sys.indexes i
      where i.object_id = o.object_id and i.is_unique = 1 and i.has_filter = 0 and i.is_disabled = 0 and i.is_hypothetical = 0
      and not exists (select 1 from sys.index_columns kc join sys.columns k on k.object_id = kc.object_id and k.column_id = kc.column_id
        where kc.object_id = i.object_id and kc.index_id = i.index_id and kc.key_ordinal > 0 and k.is_nullable = 1)
      order by i.is_primary_key desc, i.index_id)
  where o.type in ('U', 'V') and o.is_ms_shipped = 0 and s.name + N'.' + o.name = @p0
  order by s.name, o.name, c.column_id`;

export interface MssqlType {
  typeName: string;
  isNullable: boolean;
  /** In bytes; -1 for max. */
  maxLength: number;
  precision: number;
  scale: number;
  /** True for a type of a .NET library. */
  isAssembly: boolean;
}

export function columnOfMssql(name: string, described: MssqlType): CatalogColumn {
  const { typeName, isNullable, isAssembly } = described;
  const storage = isAssembly ? 'object' : storageOf(typeName);
  return { name, type: declaration(described), kind: KINDS[storage], storage, isNullable, canSort: canSort(described) };
}

const KINDS: Record<ColumnStorage, CatalogColumn['kind']> = {
  text: 'Text',
  narrowText: 'Text',
  exactNumber: 'Number',
  money: 'Number',
  float: 'Number',
  date: 'Date',
  dateTime: 'Date',
  boolean: 'Boolean',
  ordered: 'Text',
  bytes: 'Text',
  object: 'Text',
  other: 'Text',
};

const STORAGES: Record<string, ColumnStorage> = {
  nvarchar: 'text',
  nchar: 'text',
  sysname: 'text',
  varchar: 'narrowText',
  char: 'narrowText',
  tinyint: 'exactNumber',
  smallint: 'exactNumber',
  int: 'exactNumber',
  bigint: 'exactNumber',
  decimal: 'exactNumber',
  numeric: 'exactNumber',
  money: 'money',
  smallmoney: 'money',
  float: 'float',
  real: 'float',
  date: 'date',
  datetime: 'dateTime',
  datetime2: 'dateTime',
  smalldatetime: 'dateTime',
  datetimeoffset: 'dateTime',
  bit: 'boolean',
  time: 'ordered',
  uniqueidentifier: 'ordered',
  binary: 'bytes',
  varbinary: 'bytes',
  image: 'bytes',
  timestamp: 'bytes',
  rowversion: 'bytes',
};

const storageOf = (typeName: string): ColumnStorage => STORAGES[typeName] ?? 'other';

/** Source: "ntext, text, and image", "xml": not allowed in ORDER BY; nor are most library types. */
const canSort = ({ typeName, isAssembly }: MssqlType): boolean =>
  !isAssembly && !['xml', 'ntext', 'text', 'image', 'sql_variant', 'json', 'vector'].includes(typeName);

function declaration({ typeName, maxLength, precision, scale, isAssembly }: MssqlType): string {
  if (isAssembly) return typeName;
  const length = maxLength < 0 ? 'max' : String(typeName.startsWith('n') ? maxLength / 2 : maxLength);
  if (['nvarchar', 'nchar', 'varchar', 'char', 'binary', 'varbinary'].includes(typeName))
    return `${typeName}(${length})`;
  if (typeName === 'decimal' || typeName === 'numeric') return `${typeName}(${precision},${scale})`;
  if (['datetime2', 'datetimeoffset', 'time'].includes(typeName)) return `${typeName}(${scale})`;
  return typeName;
}
