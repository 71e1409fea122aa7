/**
 * Reads procedures and functions from PostgreSQL's catalog. Source: its manual, "System Catalogs": pg_proc; "System
 * Information Functions".
 */
import type { Client } from 'pg';
import { createHash } from 'node:crypto';
import { asCell, columnsOfPg, loadPgTypes, refusalOfPg, typeOfPg, type PgType } from './types-pg.ts';
import { unfillableColumns } from './unfillable-columns.ts';
import type {
  ListedProcedure,
  ProcedureColumn,
  ProcedureDescription,
  ProcedureKind,
  ProcedureParameter,
} from '#server/base/procedure-types.ts';

/** Includes the types of the input arguments, which are all that distinguishes overloads. */
const NAME = `n.nspname || '.' || p.proname || '(' || array_to_string(array(
  select format_type(given.oid, null) from unnest(p.proargtypes) with ordinality given (oid, place) order by place), ', ') || ')'`;

/**
 * Excludes functions of extensions, trigger functions, and everything in a database in which a portal stores its own
 * tables.
 */
const OFFERED = `from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any ($1::text[]) and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%' escape '\\'
  and p.prokind in ('f', 'p') and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  and has_schema_privilege(n.oid, 'USAGE') and has_function_privilege(p.oid, 'EXECUTE')
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  and not (exists (select from pg_class c where c.relname = 'ActivityRuns') and exists (select from pg_class c where c.relname = 'SecurityActions'))`;

/** The columns that describe how it is called. */
const CALL = `p.oid::text, n.nspname as schema, p.proname, p.prokind = 'p' as "isProcedure", p.proretset as "returnsSet",
  p.prorettype::text as "returnType", p.provariadic <> 0 as "isVariadic", p.pronargs, p.pronargdefaults,
  array(select t::text from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality u (t, place) order by place) as types,
  p.proargmodes::text[] as modes, p.proargnames as names`;

/** Without defaults and texts, which a list does not show. */
const LIST = `select ${NAME} as name, ${CALL}, '{}'::text[] as defaults, '' as arguments, '' as returns, '' as definition
  ${OFFERED} order by (${NAME}) collate "C"`;

const DESCRIBE = `select ${CALL},
  array(select pg_get_function_arg_default(p.oid, i) from generate_series(1, cardinality(coalesce(p.proallargtypes, p.proargtypes::oid[]))) i order by i) as defaults,
  pg_get_function_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as returns, pg_get_functiondef(p.oid) as definition
  ${OFFERED} and ${NAME} = $2::text`;

const kindOf = (isProcedure: boolean): ProcedureKind => (isProcedure ? 'procedure' : 'function');

export async function listPg(client: Client, schemas: readonly string[]): Promise<ListedProcedure[]> {
  const { rows } = await client.query<Described & { name: string }>(LIST, [schemas]);
  const types = await loadPgTypes(
    client,
    rows.flatMap((row) => [row.returnType, ...row.types]),
  );
  return rows.map((row) => {
    const { name, schema, isProcedure } = row;
    const { parameters, refusals } = describedBy(name, row, types).description;
    return { name, schema, kind: kindOf(isProcedure), refusals: [...refusals, ...unfillableColumns(parameters)] };
  });
}

interface Described {
  oid: string;
  schema: string;
  proname: string;
  isProcedure: boolean;
  returnsSet: boolean;
  returnType: string;
  isVariadic: boolean;
  pronargs: number;
  pronargdefaults: number;
  types: string[];
  modes: string[] | null;
  names: string[] | null;
  defaults: (string | null)[];
  arguments: string;
  returns: string | null;
  definition: string;
}

/** What a call needs in addition to the description, in the order of the call's arguments. */
export interface PgCallable {
  schema: string;
  name: string;
  isProcedure: boolean;
  /** `cast` is the SQL name of the argument's type. */
  arguments: { parameter: string; cast: string; defaultText: string | null; isInput: boolean }[];
  /** The outputs in the column order of the single row that contains them; empty if rows are a result. */
  outputs: { parameter: ProcedureParameter }[];
  /** True if every row names one cursor. */
  isSetOfCursors: boolean;
  /** True if the only result is a meaningless row. */
  isVoid: boolean;
}

export interface PgDescribed {
  description: ProcedureDescription;
  callable: PgCallable;
}

/** Returns null if there is none with that name, or two because names contain dots. */
export async function describePg(
  client: Client,
  schemas: readonly string[],
  name: string,
): Promise<PgDescribed | null> {
  const { rows } = await client.query<Described>(DESCRIBE, [schemas, name]);
  const [row] = rows;
  if (!row || rows.length > 1) return null;
  const types = await loadPgTypes(client, [row.returnType, ...row.types]);
  return describedBy(name, row, types);
}

interface Argument {
  name: string;
  ordinal: number;
  oid: string;
  /** pg_proc.proargmodes: i, o, b, v (variadic), t (column of a returned table). */
  mode: string;
  defaultText: string | null;
}

function argumentsOf({ types, modes, names, defaults }: Described): Argument[] {
  const taken = new Set<string>();
  return types.map((oid, index) => {
    const written = names?.[index] ?? '';
    const mode = modes?.[index] ?? 'i';
    const argument = { ordinal: index + 1, oid, mode, defaultText: defaults[index] ?? null };
    // A column of the returned table may have the name of a parameter.
    if (mode === 't') return { ...argument, name: written };
    const name = written === '' || taken.has(written) ? `$${index + 1}` : written;
    taken.add(name);
    return { ...argument, name };
  });
}

const DIRECTIONS: Record<string, ProcedureParameter['direction']> = { i: 'in', v: 'in', o: 'out', b: 'inout' };

function describedBy(name: string, row: Described, types: ReadonlyMap<string, PgType>): PgDescribed {
  const all = argumentsOf(row);
  const isInput = ({ mode }: Argument): boolean => mode === 'i' || mode === 'b' || mode === 'v';
  const parameters = all
    .filter((argument) => isInput(argument) || (!row.returnsSet && argument.mode === 'o'))
    .map((argument): ProcedureParameter => {
      const direction = row.returnsSet ? 'in' : DIRECTIONS[argument.mode]!;
      return {
        name: argument.name,
        ordinal: argument.ordinal,
        direction,
        type: typeOfPg(types, argument.oid),
        mayBeLeftOut: direction === 'out' || argument.defaultText !== null,
        defaultText: argument.defaultText,
        isCursor: direction !== 'in' && types.get(argument.oid)?.typname === 'refcursor',
      };
    });
  const returned = returnedBy(row, all, types, new Set(parameters.map((parameter) => parameter.name)));
  const outputs = [...(returned.value ? [returned.value] : []), ...parameters.filter(isOutput)];
  const cursors = outputs.filter(({ isCursor }) => isCursor).map(() => null);
  const description: ProcedureDescription = {
    name,
    schema: row.schema,
    kind: kindOf(row.isProcedure),
    parameters: [...(returned.value ? [returned.value] : []), ...parameters],
    results: returned.columns ? [returned.columns] : cursors,
    resultsAreAll: !returned.isSetOfCursors,
    signature: `(${row.arguments})${row.returns === null ? '' : ` returns ${row.returns}`}`,
    definitionHash: createHash('sha256').update(row.definition).digest('hex'),
    refusals: refusalsOf(row, all, types),
  };
  const callable: PgCallable = {
    schema: row.schema,
    name: row.proname,
    isProcedure: row.isProcedure,
    // A call of a procedure also passes its outputs by position.
    arguments: all
      .filter((argument) => isInput(argument) || (row.isProcedure && argument.mode === 'o'))
      .map((argument) => ({
        parameter: argument.name,
        cast: types.get(argument.oid)?.castName ?? '',
        defaultText: argument.defaultText,
        isInput: isInput(argument),
      })),
    outputs: outputs.map((parameter) => ({ parameter })),
    isSetOfCursors: returned.isSetOfCursors,
    isVoid: returned.isVoid,
  };
  return { description, callable };
}

const isOutput = ({ direction }: ProcedureParameter): boolean => direction !== 'in';

interface Returned {
  /** Set for a function that returns a single value. */
  value?: ProcedureParameter;
  /** Set for a function that returns rows. */
  columns?: ProcedureColumn[];
  isSetOfCursors: boolean;
  isVoid: boolean;
}

function returnedBy(
  row: Described,
  all: readonly Argument[],
  types: ReadonlyMap<string, PgType>,
  taken: ReadonlySet<string>,
): Returned {
  const nothing = { isSetOfCursors: false, isVoid: false };
  const returnedArguments = all.filter(({ mode }) => mode === 'o' || mode === 'b' || mode === 't');
  if (row.isProcedure || (returnedArguments.length > 0 && !row.returnsSet))
    return { ...nothing, isVoid: returnedArguments.length === 0 };
  if (returnedArguments.length > 0)
    return { ...nothing, columns: returnedArguments.map((one) => columnOf(types, one.oid, one.name)) };
  const type = types.get(row.returnType);
  if (!type || type.typname === 'void') return { ...nothing, isVoid: true };
  const composite = compositeOf(types, type);
  if (composite) return { ...nothing, columns: columnsOfPg(types, composite) };
  const isCursor = type.typname === 'refcursor';
  if (row.returnsSet && isCursor) return { ...nothing, isSetOfCursors: true };
  if (row.returnsSet) return { ...nothing, columns: [columnOf(types, row.returnType, row.proname)] };
  let name = 'ReturnValue';
  while (taken.has(name)) name += '_';
  const value = typeOfPg(types, row.returnType);
  const parameter = {
    name,
    ordinal: 0,
    direction: 'out' as const,
    type: value,
    mayBeLeftOut: true,
    defaultText: null,
    isCursor,
  };
  return { ...nothing, value: parameter };
}

/** Also looks through domains. */
function compositeOf(types: ReadonlyMap<string, PgType>, type: PgType): PgType | undefined {
  if (type.typtype === 'c') return type;
  const base = types.get(type.base);
  return base && compositeOf(types, base);
}

const columnOf = (types: ReadonlyMap<string, PgType>, oid: string, name: string): ProcedureColumn => ({
  name,
  type: asCell(typeOfPg(types, oid)),
  isNullable: true,
});

function refusalsOf(row: Described, all: readonly Argument[], types: ReadonlyMap<string, PgType>): string[] {
  const refusals = all.flatMap(({ name, oid, mode }) => {
    if (mode === 'v') return [`${name} is VARIADIC, which takes any number of values`];
    const refusal = refusalOfPg(types, oid);
    return refusal === null ? [] : [`${name} cannot be given: ${refusal}`];
  });
  const returned = types.get(row.returnType);
  if (row.isProcedure || !returned || returned.typname === 'void') return refusals;
  if (returned.typname === 'record') {
    const isDeclared = all.some(({ mode }) => mode === 'o' || mode === 'b' || mode === 't');
    return isDeclared ? refusals : [...refusals, 'It returns records, and does not say of which columns'];
  }
  const refusal = refusalOfPg(types, row.returnType);
  return refusal === null ? refusals : [...refusals, `What it returns cannot be taken: ${refusal}`];
}
