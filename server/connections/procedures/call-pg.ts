/** Calls procedures and functions of PostgreSQL. */
import type { FieldDef, QueryArrayResult, QueryConfig } from 'pg';
import { quoteName } from '#shared/codecs/query-text.ts';
import { checkArgument } from './argument-check.ts';
import type { PgCallable } from './catalog-pg.ts';
import { CallFault } from './faults.ts';
import type { PgSession } from './session-pg.ts';
import { asCell, builtinTypes, loadPgTypes, typeOfPg, type PgType } from './types-pg.ts';
import type { ProcedureColumn, ProcedureDescription, ProcedureValue } from '#server/base/procedure-types.ts';
import { ArgumentError, type CallMode, type CallOptions, type CallOutcome, type ProcedureMessage } from './types.ts';
import { parseErrorLocation } from './where-pg.ts';
import { boundPg, moneyDigitsOf, readCell, readValue, RULES_PG } from './values-pg.ts';

export interface PgCall extends Pick<CallOptions, 'onMessage' | 'onRows' | 'onEnd'> {
  description: ProcedureDescription;
  callable: PgCallable;
  arguments: ReadonlyMap<string, ProcedureValue>;
  mode: CallMode;
  signal: AbortSignal;
  /** Milliseconds. */
  timeLimit: number;
  timeZone: string;
}

const BATCH_ROWS = 1000;
const CURSOR = 'runsheet_result';

/** Throws driver errors, an ArgumentError, or a CallFault. */
export async function callPg(client: PgSession, call: PgCall): Promise<CallOutcome> {
  const statement = statementOf(call);
  const { mode, callable, signal, onMessage } = call;
  const isOwn = mode === 'own' && callable.isProcedure;
  const onNotice = (notice: unknown): void => onMessage?.(messageOf(notice as Notice));
  const moneyDigits = await begin(client, call, isOwn);
  client.on('notice', onNotice);
  try {
    const reading = new Reading(client, call, moneyDigits);
    const calling = callable.isProcedure ? callProcedure : callFunction;
    const outcome = await calling(reading, statement, call).catch((error: unknown) => {
      throw refusedValue(error, call);
    });
    signal.throwIfAborted();
    await call.onEnd?.(outcome);
    signal.throwIfAborted();
    if (!isOwn && mode !== 'trial') await commit(client);
    return outcome;
  } finally {
    client.off('notice', onNotice);
  }
}

async function commit(client: PgSession): Promise<void> {
  const { command } = await client.query('commit').catch((error: unknown) => {
    throw new CallFault('commit', error);
  });
  if (command !== 'COMMIT') throw new CallFault('takenBack');
}

/**
 * A busy server notices the closed connection of a killed portal only when it sends something: a procedure would
 * continue, and hold its locks, until its time limit. PostgreSQL 14 and later can check the connection every second; on
 * Windows they cannot. Source: PostgreSQL's manual, client_connection_check_interval.
 */
const endWithTheClient = (scope: string): string =>
  `case when current_setting('client_connection_check_interval', true) is not null and version() !~* 'windows|mingw|visual c'
    then set_config('client_connection_check_interval', '1000', ${scope}) end`;

/**
 * Sets the options on which parsing values depends, whatever the defaults of role or database are. Only the output
 * style of DateStyle is set: the order of day and month stays as the procedure expects it. Returns the number of
 * decimals of money.
 */
async function begin(client: PgSession, { timeZone, timeLimit }: PgCall, isOwn: boolean): Promise<number> {
  const scope = String(!isOwn);
  if (!isOwn) await client.query('begin');
  const { rows } = await client.query<{ money: string }>(
    `select 0::numeric::money::text as money, set_config('datestyle', 'ISO', ${scope}), set_config('timezone', $1, ${scope}),
      set_config('statement_timeout', $2, ${scope}), set_config('extra_float_digits', '1', ${scope}),
      set_config('client_min_messages', 'notice', ${scope}), set_config('standard_conforming_strings', 'on', ${scope}),
      ${endWithTheClient(scope)}`,
    [timeZone, String(Math.ceil(timeLimit))],
  );
  return moneyDigitsOf(rows[0]!.money);
}

/** The extended protocol accepts only one statement. */
type Statement = QueryConfig & { queryMode: 'extended' };

/**
 * Converts the error to an ArgumentError with the parameter's name if the database rejected a value before the call.
 */
function refusedValue(error: unknown, { description: { parameters }, callable, arguments: args }: PgCall): unknown {
  const { where, message } = error as { where?: string; message?: string };
  const found = /portal parameter \$(\d+)/.exec(where ?? '');
  if (!found) return error;
  const bound = callable.arguments.filter(({ parameter, isInput }) => isInput && args.has(parameter));
  const name = bound[Number(found[1]) - 1]?.parameter ?? parameters[0]?.name ?? '';
  return new ArgumentError(name, `${name}: ${message}`);
}

/**
 * Passes all arguments by position, with defaults from the catalog, because a shorter call may match two overloads.
 * Only names from the description become SQL; each value is bound as the type of its parameter.
 */
function statementOf({ description, callable, arguments: args }: PgCall): Statement {
  const values: (string | Buffer | null)[] = [];
  const byName = new Map(description.parameters.map((parameter) => [parameter.name, parameter]));
  const expressions = callable.arguments.map(({ parameter: name, cast, defaultText, isInput }) => {
    const { type } = byName.get(name)!;
    if (!isInput) return `null::${cast}`;
    if (!args.has(name)) return `(${defaultText!})::${cast}`;
    const value = args.get(name)!;
    checkArgument(name, type, value, RULES_PG);
    values.push(boundPg(type, value));
    return type.base === 'money' ? `$${values.length}::numeric::${cast}` : `$${values.length}::${cast}`;
  });
  const name = `${quoteName(callable.schema, 'pg')}.${quoteName(callable.name, 'pg')}`;
  const text = `${callable.isProcedure ? 'call' : 'select * from'} ${name}(${expressions.join(', ')})`;
  return { text, values, queryMode: 'extended' };
}

async function callProcedure(reading: Reading, statement: Statement, { callable }: PgCall): Promise<CallOutcome> {
  const { rows } = await reading.client.query<(string | null)[]>({ ...statement, ...AS_TEXT });
  return reading.outcome(callable, rows[0] ?? []);
}

async function callFunction(reading: Reading, statement: Statement, { callable }: PgCall): Promise<CallOutcome> {
  const { client } = reading;
  // Plan the cursor for all rows, and reset the setting for the function's own plans.
  await client.query('set local cursor_tuple_fraction = 1');
  await client.query({ ...statement, text: `declare ${CURSOR} no scroll cursor for ${statement.text}` });
  await client.query('reset cursor_tuple_fraction');
  if (callable.isVoid || callable.outputs.length > 0 || callable.isSetOfCursors) {
    const { rows } = await reading.fetch(`fetch all from ${CURSOR}`);
    if (!callable.isSetOfCursors) return reading.outcome(callable, rows[0] ?? []);
    for (const [cursor] of rows) await reading.cursor(cursor ?? null);
  } else await reading.all(CURSOR);
  return { returnCode: null, outputs: new Map(), results: reading.results };
}

const AS_TEXT = { rowMode: 'array' as const, types: { getTypeParser: () => String } as never };

/** Passes rows on as they are fetched. */
class Reading {
  readonly client: PgSession;
  results = 0;
  private readonly call: PgCall;
  private readonly moneyDigits: number;

  constructor(client: PgSession, call: PgCall, moneyDigits: number) {
    this.client = client;
    this.call = call;
    this.moneyDigits = moneyDigits;
  }

  async fetch(text: string): Promise<QueryArrayResult<(string | null)[]>> {
    this.call.signal.throwIfAborted();
    return this.client.query<(string | null)[]>({ text, ...AS_TEXT });
  }

  /** Reads all rows of a cursor as the next result. */
  async all(name: string): Promise<void> {
    this.results += 1;
    const result = this.results;
    let columns: ProcedureColumn[] | undefined;
    for (;;) {
      const { fields, rows } = await this.fetch(`fetch forward ${BATCH_ROWS} from ${quoteName(name, 'pg')}`);
      const isFirst = columns === undefined;
      columns ??= await this.columnsOf(fields);
      const read = columns.map(({ type }) => type);
      const cells = rows.map((row) => row.map((text, index) => readCell(read[index]!, text, this.moneyDigits)));
      if (cells.length > 0 || isFirst) await this.call.onRows?.({ result, columns, rows: cells });
      if (rows.length < BATCH_ROWS) return;
    }
  }

  /** Null means that the cursor was not opened. */
  async cursor(name: string | null): Promise<void> {
    if (name === null) return;
    await this.all(name).catch((error: unknown) => {
      throw (error as { code?: string }).code === '34000' && this.call.mode === 'own'
        ? new CallFault('cursorLost', error)
        : error;
    });
  }

  async outcome({ outputs }: PgCallable, row: readonly (string | null)[]): Promise<CallOutcome> {
    const values = new Map<string, ProcedureValue>();
    for (const [index, { parameter }] of outputs.entries()) {
      const text = row[index] ?? null;
      if (parameter.isCursor) await this.cursor(text);
      values.set(parameter.name, parameter.isCursor ? null : readValue(parameter.type, text, this.moneyDigits));
    }
    return { returnCode: null, outputs: values, results: this.results };
  }

  private async columnsOf(fields: readonly FieldDef[]): Promise<ProcedureColumn[]> {
    const types = await this.typesOf(fields);
    return fields.map(({ name, dataTypeID, dataTypeModifier }) => ({
      name: name === '?column?' ? '' : name,
      type: asCell(typeOfPg(types, String(dataTypeID), dataTypeModifier)),
      isNullable: true,
    }));
  }

  private async typesOf(fields: readonly FieldDef[]): Promise<ReadonlyMap<string, PgType>> {
    const unknown = fields.map(({ dataTypeID }) => String(dataTypeID)).filter((oid) => !builtinTypes.has(oid));
    if (unknown.length === 0) return builtinTypes;
    return new Map([...builtinTypes, ...(await loadPgTypes(this.client, unknown))]);
  }
}

interface Notice {
  severity?: string;
  message?: string;
  code?: string;
  where?: string;
}

const messageOf = ({ severity, message, code, where }: Notice): ProcedureMessage => ({
  text: message ?? '',
  severity: severity ?? 'NOTICE',
  number: code ?? null,
  ...parseErrorLocation(where),
});
