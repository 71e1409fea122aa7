/**
 * SQL Server types of procedure parameters. Source: Transact-SQL reference, "Data types", "sys.types",
 * "sys.parameters".
 */
import {
  unlimitedText,
  type ProcedureColumn,
  type ProcedureType,
  type ProcedureValueKind,
} from '#server/base/procedure-types.ts';

/** The catalog's description of a parameter or of a column of a table type. */
export interface MssqlTypeRow {
  /** The system type, also for an alias type. */
  base: string;
  typeName: string;
  typeSchema: string;
  isUserDefined: boolean;
  isAssembly: boolean;
  /** In bytes; -1 for max. */
  maxLength: number;
  precision: number;
  scale: number;
}

const KINDS: Record<string, ProcedureValueKind> = {
  tinyint: 'Number',
  smallint: 'Number',
  int: 'Number',
  bigint: 'Number',
  decimal: 'Number',
  numeric: 'Number',
  money: 'Number',
  smallmoney: 'Number',
  float: 'Number',
  real: 'Number',
  bit: 'Boolean',
  date: 'Date',
  datetime: 'Date',
  datetime2: 'Date',
  smalldatetime: 'Date',
  datetimeoffset: 'Date',
  time: 'Text',
  char: 'Text',
  varchar: 'Text',
  text: 'Text',
  nchar: 'Text',
  nvarchar: 'Text',
  ntext: 'Text',
  sysname: 'Text',
  uniqueidentifier: 'Text',
  xml: 'Text',
  json: 'Text',
  vector: 'Text',
  timestamp: 'Text',
  rowversion: 'Text',
  binary: 'File',
  varbinary: 'File',
  image: 'File',
};

export const TEXT_MSSQL = unlimitedText('nvarchar(max)', 'nvarchar');

const WIDE = new Set(['nchar', 'nvarchar', 'sysname']);
const NARROW = new Set(['char', 'varchar', 'binary', 'varbinary']);
const DIGITS: Record<string, [number, number]> = {
  tinyint: [3, 0],
  smallint: [5, 0],
  int: [10, 0],
  bigint: [19, 0],
  money: [19, 4],
  smallmoney: [10, 4],
};
const SECONDS: Record<string, number> = { datetime: 3, smalldatetime: 0 };

export function typeOfMssql(row: MssqlTypeRow): ProcedureType {
  const { base, maxLength, precision, scale } = row;
  const declared = row.isUserDefined || row.isAssembly ? `${row.typeSchema}.${row.typeName}` : declarationOf(row);
  const type = { ...TEXT_MSSQL, declared, base, kind: KINDS[base] ?? 'Text', hasZone: base === 'datetimeoffset' };
  if (base === 'decimal' || base === 'numeric') return { ...type, precision, scale };
  if (DIGITS[base]) return { ...type, precision: DIGITS[base][0], scale: DIGITS[base][1] };
  if (['datetime2', 'datetimeoffset', 'time'].includes(base)) return { ...type, scale };
  if (base in SECONDS) return { ...type, scale: SECONDS[base]! };
  if (WIDE.has(base)) return { ...type, maxLength: maxLength < 0 ? null : maxLength / 2 };
  return NARROW.has(base) ? { ...type, maxLength: maxLength < 0 ? null : maxLength } : type;
}

/** Returns the type for declaring a variable; for types that variables cannot have, an equivalent type. */
export function declarationOf({ base, maxLength, precision, scale }: MssqlTypeRow): string {
  const length = maxLength < 0 ? 'max' : String(WIDE.has(base) ? maxLength / 2 : maxLength);
  if (WIDE.has(base) || NARROW.has(base)) return `${base === 'sysname' ? 'nvarchar' : base}(${length})`;
  if (base === 'decimal' || base === 'numeric') return `${base}(${precision},${scale})`;
  if (['datetime2', 'datetimeoffset', 'time'].includes(base)) return `${base}(${scale})`;
  return (
    { text: 'varchar(max)', ntext: 'nvarchar(max)', image: 'varbinary(max)', timestamp: 'binary(8)' }[base] ?? base
  );
}

/** Returns why values of the type can be neither sent nor received; null if they can. */
export function refusalOfMssql({ base, isAssembly, typeName }: MssqlTypeRow): string | null {
  if (isAssembly) return `${typeName} is a type of .NET (CLR)`;
  if (base === 'sql_variant') return 'sql_variant does not say which type a value is to have';
  return base in KINDS ? null : `the type ${typeName} is not known`;
}

/** A result column as described by the driver. */
export interface DriverColumn {
  colName: string;
  type: { name: string };
  precision?: number | undefined;
  scale?: number | undefined;
  dataLength?: number | undefined;
  udtInfo?: { typeName?: string } | undefined;
}

const MAX_LENGTH = 65_535;
const BY_BYTES: Record<string, Record<number, string>> = {
  IntN: { 1: 'tinyint', 2: 'smallint', 4: 'int', 8: 'bigint' },
  FloatN: { 4: 'real', 8: 'float' },
  MoneyN: { 4: 'smallmoney', 8: 'money' },
  DateTimeN: { 4: 'smalldatetime', 8: 'datetime' },
};
const BY_NAME: Record<string, string> = {
  BitN: 'bit',
  DecimalN: 'decimal',
  NumericN: 'numeric',
  Variant: 'sql_variant',
};

export function columnOfDriver(column: DriverColumn): ProcedureColumn {
  const { colName: name, type, precision = 0, scale = 0, dataLength = 0, udtInfo } = column;
  const base = BY_BYTES[type.name]?.[dataLength] ?? BY_NAME[type.name] ?? type.name.toLowerCase();
  if (base === 'udt') {
    const typeName = udtInfo?.typeName ?? 'CLR';
    return { name, type: { ...TEXT_MSSQL, declared: typeName, base: typeName, kind: 'File' }, isNullable: true };
  }
  const maxLength = dataLength === MAX_LENGTH ? -1 : dataLength;
  const row = {
    base,
    typeName: base,
    typeSchema: 'sys',
    isUserDefined: false,
    isAssembly: false,
    maxLength,
    precision,
    scale,
  };
  return { name, type: typeOfMssql(row), isNullable: true };
}
