/** PostgreSQL types of procedure parameters. Source: its manual, "System Catalogs": pg_type, pg_attribute, pg_enum. */
import type { Client } from 'pg';
import {
  unlimitedText,
  type ProcedureColumn,
  type ProcedureType,
  type ProcedureValueKind,
} from '#server/base/procedure-types.ts';

/** A row of pg_type with related data. */
export interface PgType {
  oid: string;
  /** With its schema, except for system types. */
  name: string;
  /** Name in an expression without a length: `character` would mean a length of 1. */
  castName: string;
  typname: string;
  isOfSystem: boolean;
  typtype: string;
  typcategory: string;
  /** Base type of a domain; '0' for other types. */
  base: string;
  baseModifier: number;
  /** Element type of an array; '0' for other types. */
  element: string;
  labels: string[];
  attributes: { name: string; type: string; modifier: number; notNull: boolean }[];
}

/** Also selects the types that they consist of. */
const TYPES_PG = `with recursive needed (oid) as (
    select unnest($1::oid[])
    union
    select part.oid from needed join pg_type y on y.oid = needed.oid
    join lateral (
      select y.typbasetype union all select y.typelem where y.typcategory = 'A' union all
      select a.atttypid from pg_attribute a where y.typtype = 'c' and a.attrelid = y.typrelid and a.attnum > 0 and not a.attisdropped
    ) part (oid) on part.oid <> 0)
  select y.oid::text, format_type(y.oid, null) as name, format_type(y.oid, -1) as "castName", y.typname,
    y.typnamespace = 'pg_catalog'::regnamespace as "isOfSystem", y.typtype::text, y.typcategory::text, y.typbasetype::text as base,
    y.typtypmod as "baseModifier", case when y.typcategory = 'A' then y.typelem else 0 end::text as element,
    array(select e.enumlabel::text from pg_enum e where e.enumtypid = y.oid order by e.enumsortorder) as labels,
    coalesce((select json_agg(json_build_object('name', a.attname, 'type', a.atttypid::text, 'modifier', a.atttypmod, 'notNull', a.attnotnull) order by a.attnum)
      from pg_attribute a where y.typtype = 'c' and a.attrelid = y.typrelid and a.attnum > 0 and not a.attisdropped), '[]') as attributes
  from needed join pg_type y on y.oid = needed.oid`;

/** Reads types. Names omit schemas that are in the session's search_path. */
export async function loadPgTypes(client: Client, oids: readonly string[]): Promise<ReadonlyMap<string, PgType>> {
  const { rows } = await client.query<PgType>(TYPES_PG, [[...new Set(oids)]]);
  return new Map(rows.map((row) => [row.oid, row]));
}

const KINDS: Record<string, ProcedureValueKind> = {
  int2: 'Number',
  int4: 'Number',
  int8: 'Number',
  oid: 'Number',
  float4: 'Number',
  float8: 'Number',
  numeric: 'Number',
  money: 'Number',
  bool: 'Boolean',
  date: 'Date',
  timestamp: 'Date',
  timestamptz: 'Date',
  bytea: 'File',
};

const TEXT_PG = unlimitedText('text', 'text');

/** Returns why values of the type can be neither sent nor received; null if they can. */
export function refusalOfPg(types: ReadonlyMap<string, PgType>, oid: string): string | null {
  const type = types.get(oid);
  if (!type) return 'its type is not in the catalog';
  if (type.typtype === 'p') return `the type ${type.name} stands for others, and names none of them`;
  const parts = [type.base, type.element, ...type.attributes.map((attribute) => attribute.type)];
  for (const part of parts) {
    const refusal = part === '0' ? null : refusalOfPg(types, part);
    if (refusal !== null) return refusal;
  }
  return null;
}

export function typeOfPg(types: ReadonlyMap<string, PgType>, oid: string, modifier = -1): ProcedureType {
  const type = types.get(oid);
  if (!type) return TEXT_PG;
  const declared = type.name + (modifier >= 0 ? lengthsOf(type.typname, modifier) : '');
  if (type.base !== '0') return { ...typeOfPg(types, type.base, type.baseModifier), declared };
  if (type.typtype === 'e') return { ...TEXT_PG, declared, base: type.typname, kind: 'Enum', labels: type.labels };
  const element = types.get(type.element);
  if (element?.typtype === 'c') {
    const columns = columnsOfPg(types, element);
    return { ...TEXT_PG, declared, base: type.typname, kind: 'Table', columns };
  }
  return { ...systemType(type.isOfSystem ? type.typname : 'text', modifier), declared, base: type.typname };
}

/** Returns the columns of a composite type. A table within a table is a text. */
export function columnsOfPg(types: ReadonlyMap<string, PgType>, { attributes }: PgType): ProcedureColumn[] {
  return attributes.map(({ name, type, modifier, notNull }) => ({
    name,
    type: asCell(typeOfPg(types, type, modifier)),
    isNullable: !notNull,
  }));
}

/** Returns the type as a single value in a row. */
export const asCell = (type: ProcedureType): ProcedureType =>
  type.kind === 'Table' ? { ...type, kind: 'Text', columns: [] } : type;

const hasModifier = (modifier: number): boolean => modifier >= 4;

function systemType(typname: string, modifier: number): ProcedureType {
  const kind = KINDS[typname] ?? 'Text';
  const type = { ...TEXT_PG, base: typname, kind, hasZone: typname === 'timestamptz' };
  switch (typname) {
    case 'varchar':
    case 'bpchar':
      return { ...type, maxLength: hasModifier(modifier) ? modifier - 4 : null };
    case 'numeric':
      return hasModifier(modifier) ? { ...type, ...digitsOf(modifier) } : type;
    case 'money':
      return { ...type, precision: 19, scale: 2 };
    case 'int2':
    case 'int4':
    case 'int8':
    case 'oid':
      return { ...type, precision: { int2: 5, int4: 10, int8: 19, oid: 10 }[typname], scale: 0 };
    case 'timestamp':
    case 'timestamptz':
    case 'time':
      return { ...type, scale: modifier >= 0 ? modifier : 6 };
    default:
      return type;
  }
}

/**
 * The scale is a signed number with eleven bits. Source: numeric.c, numeric_typmod_precision and numeric_typmod_scale.
 */
const digitsOf = (modifier: number): { precision: number; scale: number } => ({
  precision: ((modifier - 4) >> 16) & 0xffff,
  scale: (((modifier - 4) & 0x7ff) ^ 1024) - 1024,
});

function lengthsOf(typname: string, modifier: number): string {
  if (['varchar', 'bpchar'].includes(typname) && hasModifier(modifier)) return `(${modifier - 4})`;
  if (typname === 'numeric' && hasModifier(modifier)) {
    const { precision, scale } = digitsOf(modifier);
    return `(${precision},${scale})`;
  }
  return ['timestamp', 'timestamptz', 'time', 'timetz', 'bit', 'varbit'].includes(typname) ? `(${modifier})` : '';
}

const builtin = (oid: number, typname: string, name = typname): [string, PgType] => [
  String(oid),
  {
    oid: String(oid),
    name,
    castName: name,
    typname,
    isOfSystem: true,
    typtype: 'b',
    typcategory: 'U',
    base: '0',
    baseModifier: -1,
    element: '0',
    labels: [],
    attributes: [],
  },
];

/** The most frequent types of results, so they need not be looked up. Source: pg_type.dat. */
export const builtinTypes: ReadonlyMap<string, PgType> = new Map([
  builtin(16, 'bool', 'boolean'),
  builtin(17, 'bytea'),
  builtin(18, 'char', '"char"'),
  builtin(19, 'name'),
  builtin(20, 'int8', 'bigint'),
  builtin(21, 'int2', 'smallint'),
  builtin(23, 'int4', 'integer'),
  builtin(25, 'text'),
  builtin(26, 'oid'),
  builtin(114, 'json'),
  builtin(142, 'xml'),
  builtin(700, 'float4', 'real'),
  builtin(701, 'float8', 'double precision'),
  builtin(790, 'money'),
  builtin(1042, 'bpchar', 'character'),
  builtin(1043, 'varchar', 'character varying'),
  builtin(1082, 'date'),
  builtin(1083, 'time', 'time without time zone'),
  builtin(1114, 'timestamp', 'timestamp without time zone'),
  builtin(1184, 'timestamptz', 'timestamp with time zone'),
  builtin(1186, 'interval'),
  builtin(1560, 'bit'),
  builtin(1562, 'varbit', 'bit varying'),
  builtin(1700, 'numeric'),
  builtin(1790, 'refcursor'),
  builtin(2950, 'uuid'),
  builtin(3802, 'jsonb'),
]);
