/**
 * Reads procedures from SQL Server's catalog. Source: Transact-SQL reference, "Object catalog views",
 * "sys.dm_exec_describe_first_result_set_for_object".
 */
import { createHash } from 'node:crypto';
import type { BoundQuery, SqlParameter } from '#shared/codecs/query-text.ts';
import type { ResultValue } from '../types.ts';
import { defaultExpression, readTsqlHeader, type HeaderParameter } from './tsql-header.ts';
import { declarationOf, refusalOfMssql, TEXT_MSSQL, typeOfMssql, type MssqlTypeRow } from './types-mssql.ts';
import type {
  ListedProcedure,
  ProcedureColumn,
  ProcedureDescription,
  ProcedureParameter,
} from '#server/base/procedure-types.ts';
import { unfillableColumns } from './unfillable-columns.ts';

/** Reads all rows of a catalog query. */
export type MssqlQuery = (query: BoundQuery) => Promise<(readonly ResultValue[])[]>;

/** Offers nothing of a database in which a portal stores its own tables. */
const OFFERED = `from sys.procedures o join sys.schemas s on s.schema_id = o.schema_id
  where o.type in ('P', 'PC') and o.is_ms_shipped = 0 and has_perms_by_name(quotename(s.name) + N'.' + quotename(o.name), 'OBJECT', 'EXECUTE') = 1
  and not (exists (select 1 from sys.tables t where t.name = N'ActivityRuns') and exists (select 1 from sys.tables t where t.name = N'SecurityActions'))`;

const TYPE_COLUMNS = (of: string): string =>
  `coalesce(type_name(${of}.system_type_id), t.name), t.name, schema_name(t.schema_id), t.is_user_defined, t.is_assembly_type, ${of}.max_length, ${of}.precision, ${of}.scale`;
const TYPES = (of: string): string => `join sys.types t on t.user_type_id = ${of}.user_type_id`;

const PARAMETER_COLUMNS = `p.parameter_id, p.name, p.is_output, p.has_default_value, p.is_cursor_ref, t.is_table_type, t.user_type_id, ${TYPE_COLUMNS('p')}
  from sys.parameters p ${TYPES('p')}`;
const PARAMETERS = `select ${PARAMETER_COLUMNS} where p.object_id = @p0 and p.parameter_id > 0 order by p.parameter_id`;

/** The columns that an insert can name. */
const tableColumns = (
  procedures: string,
): string => `select tt.user_type_id, c.name, c.is_nullable, ${TYPE_COLUMNS('c')}
  from sys.table_types tt join sys.columns c on c.object_id = tt.type_table_object_id ${TYPES('c')}
  where tt.user_type_id in (select p.user_type_id from sys.parameters p where p.object_id in (${procedures}))
  and c.is_identity = 0 and c.is_computed = 0 order by tt.user_type_id, c.column_id`;

const FIRST_RESULT = `select r.name, r.is_nullable, r.system_type_name, r.error_number, coalesce(type_name(r.system_type_id), ''), r.max_length, r.precision, r.scale
  from sys.dm_exec_describe_first_result_set_for_object(@p0, 0) r where r.is_hidden = 0 order by r.column_ordinal`;

function inSchemas(
  schemas: readonly string[],
  before: readonly SqlParameter[],
): { sql: string; values: SqlParameter[] } {
  const placeholders = schemas.map((_, index) => `@p${before.length + index}`);
  return { sql: `s.name in (${placeholders.join(', ')})`, values: [...before, ...schemas] };
}

export async function listMssql(query: MssqlQuery, schemas: readonly string[]): Promise<ListedProcedure[]> {
  const { sql, values } = inSchemas(schemas, []);
  const offered = `${OFFERED} and ${sql}`;
  const rows = await query({ sql: `select s.name, o.name, o.object_id ${offered} order by s.name, o.name`, values });
  const procedures = `select o.object_id ${offered}`;
  const columns = columnsByType(await query({ sql: tableColumns(procedures), values }));
  const parameters = await query({
    sql: `select p.object_id, ${PARAMETER_COLUMNS} where p.parameter_id > 0 and p.object_id in (${procedures}) order by p.object_id, p.parameter_id`,
    values,
  });
  const byProcedure = Map.groupBy(parameters, ([id]) => Number(id));
  return rows.map(([schema, name, id]) => {
    const own = (byProcedure.get(Number(id)) ?? []).map(([, ...cells]) => readParameter(cells));
    const refusals = own.flatMap((one) => {
      const ofTable = columns.get(one.typeId) ?? [];
      const { parameter } = callableOf(one, null, false, ofTable);
      return [...refusalsOf(one, ofTable), ...unfillableColumns([parameter])];
    });
    return { name: `${schema}.${name}`, schema: String(schema), kind: 'procedure', refusals };
  });
}

/** What a call needs in addition to the description. */
export interface MssqlCallable {
  schema: string;
  name: string;
  parameters: MssqlCallableParameter[];
}

export interface MssqlCallableParameter {
  parameter: ProcedureParameter;
  /** Type for declaring a variable of it; for a table, the quoted name of its type. */
  declaration: string;
  /** Columns of a table parameter. */
  columns: { name: string; declaration: string }[];
  /** Initial value of the variable of a skipped output. */
  defaultExpression: string;
}

export interface MssqlDescribed {
  description: ProcedureDescription;
  callable: MssqlCallable;
}

/** Returns null if there is no procedure with that name, or two because names contain dots. */
export async function describeMssql(
  query: MssqlQuery,
  schemas: readonly string[],
  name: string,
): Promise<MssqlDescribed | null> {
  const { sql, values } = inSchemas(schemas, [name]);
  const found = await query({
    sql: `select o.object_id, s.name, o.name, (select m.definition from sys.sql_modules m where m.object_id = o.object_id), o.type
      ${OFFERED} and ${sql} and s.name + N'.' + o.name = @p0`,
    values,
  });
  const [row] = found;
  if (!row || found.length > 1) return null;
  const [id, schema, own, definition, type] = row;
  const bound = [Number(id)];
  const header = definition === null ? null : readTsqlHeader(String(definition));
  const columns = columnsByType(await query({ sql: tableColumns('@p0'), values: bound }));
  const rows = (await query({ sql: PARAMETERS, values: bound })).map(readParameter);
  const isClr = String(type).trim() === 'PC';
  const parameters = rows.map((one) => callableOf(one, header, isClr, columns.get(one.typeId) ?? []));
  const refusals = rows.flatMap((one) => refusalsOf(one, columns.get(one.typeId) ?? []));
  const results = await firstResult(query, bound);
  const description: ProcedureDescription = {
    name,
    schema: String(schema),
    kind: 'procedure',
    parameters: parameters.map(({ parameter }) => parameter),
    ...results,
    signature: parameters.map(signatureOf).join(', '),
    definitionHash: definition === null ? null : createHash('sha256').update(String(definition)).digest('hex'),
    refusals,
  };
  return { description, callable: { schema: String(schema), name: String(own), parameters } };
}

interface ParameterRow {
  ordinal: number;
  name: string;
  isOutput: boolean;
  hasDefault: boolean;
  isCursor: boolean;
  isTable: boolean;
  typeId: number;
  type: MssqlTypeRow;
}

function readParameter(cells: readonly ResultValue[]): ParameterRow {
  const [ordinal, name, isOutput, hasDefault, isCursor, isTable, typeId, ...type] = cells;
  return {
    ordinal: Number(ordinal),
    name: String(name).replace(/^@/, ''),
    isOutput: isOutput === true,
    hasDefault: hasDefault === true,
    isCursor: isCursor === true,
    isTable: isTable === true,
    typeId: Number(typeId),
    type: readType(type),
  };
}

function readType([
  base,
  typeName,
  typeSchema,
  isUserDefined,
  isAssembly,
  maxLength,
  precision,
  scale,
]: readonly ResultValue[]): MssqlTypeRow {
  return {
    base: String(base).toLowerCase(),
    typeName: String(typeName),
    typeSchema: String(typeSchema),
    isUserDefined: isUserDefined === true,
    isAssembly: isAssembly === true,
    maxLength: Number(maxLength),
    precision: Number(precision),
    scale: Number(scale),
  };
}

interface TableColumn {
  name: string;
  isNullable: boolean;
  type: MssqlTypeRow;
}

function columnsByType(rows: readonly (readonly ResultValue[])[]): Map<number, TableColumn[]> {
  const columns = new Map<number, TableColumn[]>();
  for (const [typeId, name, isNullable, ...rest] of rows) {
    const type = readType(rest);
    const found = columns.get(Number(typeId)) ?? [];
    columns.set(Number(typeId), found);
    // Only the database can fill a row version.
    if (!['timestamp', 'rowversion'].includes(type.base))
      found.push({ name: String(name), isNullable: isNullable === true, type });
  }
  return columns;
}

const quoted = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

function callableOf(
  row: ParameterRow,
  header: readonly HeaderParameter[] | null,
  isClr: boolean,
  columns: readonly TableColumn[],
): MssqlCallableParameter {
  const { name, ordinal, isOutput, isTable, type } = row;
  const written = header?.find((one) => one.name.toLowerCase() === name.toLowerCase());
  const knowsDefaults = isClr || written !== undefined;
  const hasDefault = isClr ? row.hasDefault : written?.defaultText !== null;
  const defaultText = written?.defaultText ?? null;
  const table = {
    declared: `${type.typeSchema}.${type.typeName}`,
    kind: 'Table' as const,
    columns: columns.map(columnOf),
  };
  return {
    parameter: {
      name,
      ordinal,
      direction: isOutput ? 'inout' : 'in',
      type: isTable ? { ...TEXT_MSSQL, ...table, base: type.typeName } : typeOfMssql(type),
      // A skipped table has no rows; a skipped output starts with its default or null.
      mayBeLeftOut: isTable || isOutput ? true : knowsDefaults ? hasDefault : null,
      defaultText,
      isCursor: false,
    },
    declaration: isTable ? `${quoted(type.typeSchema)}.${quoted(type.typeName)}` : declarationOf(type),
    columns: columns.map((column) => ({ name: column.name, declaration: declarationOf(column.type) })),
    defaultExpression: (defaultText === null ? null : defaultExpression(defaultText)) ?? 'null',
  };
}

const columnOf = ({ name, isNullable, type }: TableColumn): ProcedureColumn => ({
  name,
  isNullable,
  type: typeOfMssql(type),
});

const NAME = /^[\p{L}\p{N}_@#$]+$/u;

function refusalsOf({ name, isCursor, isTable, type }: ParameterRow, columns: readonly TableColumn[]): string[] {
  if (!NAME.test(name)) return [`${name} is no name of a parameter`];
  if (isCursor) return [`${name} cannot be taken: it is a cursor`];
  const refused = (
    isTable
      ? columns.map((column) => ({ column: ` (column ${column.name})`, type: column.type }))
      : [{ column: '', type }]
  ).flatMap((one) => {
    const refusal = refusalOfMssql(one.type);
    return refusal === null ? [] : [`${name}${one.column} cannot be given: ${refusal}`];
  });
  return refused;
}

const signatureOf = ({ parameter: { name, type, defaultText, direction } }: MssqlCallableParameter): string =>
  `@${name} ${type.declared}${defaultText === null ? '' : ` = ${defaultText}`}${direction === 'inout' ? ' output' : ''}${type.kind === 'Table' ? ' readonly' : ''}`;

/** The catalog describes only the first result, and none for procedures that use temporary tables or dynamic SQL. */
async function firstResult(
  query: MssqlQuery,
  bound: readonly SqlParameter[],
): Promise<Pick<ProcedureDescription, 'results' | 'resultsAreAll'>> {
  const rows = await query({ sql: FIRST_RESULT, values: bound }).catch(() => null);
  if (rows === null || rows.some(([, , , error]) => error !== null)) return { results: [], resultsAreAll: false };
  if (rows.length === 0) return { results: [], resultsAreAll: true };
  const columns = rows.map(([name, isNullable, declared, , base, maxLength, precision, scale]) => {
    const type = readType([base ?? '', base ?? '', 'sys', false, false, maxLength ?? 0, precision ?? 0, scale ?? 0]);
    return {
      name: name === null ? '' : String(name),
      type: { ...typeOfMssql(type), declared: String(declared) },
      isNullable: isNullable !== false,
    };
  });
  return { results: [columns], resultsAreAll: false };
}
