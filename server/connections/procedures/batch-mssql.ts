/** Generates the T-SQL of a call. Names come from the catalog and are quoted; every value is bound. */
import { randomBytes } from 'node:crypto';
import { quoteName } from '#shared/codecs/query-text.ts';
import { checkArgument } from './argument-check.ts';
import type { MssqlCallable, MssqlCallableParameter } from './catalog-mssql.ts';
import type {
  ProcedureCell,
  ProcedureParameter,
  ProcedureTable,
  ProcedureType,
  ProcedureValue,
} from '#server/base/procedure-types.ts';
import { convertedMssql, createOffset, RULES_MSSQL, sentMssql } from './values-mssql.ts';

export interface BoundValue {
  name: string;
  value: string | Buffer;
}

/** A table argument as it is sent: into a temporary table with text and byte columns. */
export interface StagedTable {
  name: string;
  columns: { name: string; isBytes: boolean }[];
  rows: (string | Buffer | null)[][];
}

export interface MssqlBatch {
  /** Statement that creates the temporary tables; null if there are none. */
  staging: string | null;
  tables: StagedTable[];
  sql: string;
  values: BoundValue[];
  /**
   * Name of the first column of the last result, which contains the return code, the number of open transactions and
   * the outputs.
   */
  marker: string;
  outputs: ProcedureParameter[];
  /**
   * Parameters checked for characters that their code page lacks; the state of error LOST_CHARACTERS is the position in
   * this list, from 1.
   */
  checked: string[];
}

/** Number of the error raised if a value has characters that the code page of its parameter lacks. */
export const LOST_CHARACTERS = 50_000;

/**
 * A statement accepts 2,100 parameters, two of which the driver uses. With more values, all texts are sent as one, and
 * each value is a substring of it. Source: "Maximum capacity specifications for SQL Server", Parameters per stored
 * procedure.
 */
const MAX_BOUND_VALUES = 2000;

class Batch {
  readonly lines: string[] = [];
  readonly staging: string[] = [];
  readonly tables: StagedTable[] = [];
  /** The lines refer to these values by their index between NUL characters, which no name contains. */
  readonly bound: (string | Buffer)[] = [];
  readonly checked: string[] = [];
  readonly marker = `runsheet_${randomBytes(8).toString('hex')}`;
  private readonly offsetOf: ReturnType<typeof createOffset>;

  constructor(timeZone: string) {
    this.offsetOf = createOffset(timeZone);
  }

  /** Declares the variable of a parameter and returns its name. */
  variable(at: number, one: MssqlCallableParameter, value: ProcedureValue | undefined): string {
    const variable = `@v${at}`;
    const { parameter, declaration } = one;
    if (parameter.type.kind === 'Table') this.table(variable, one, (value ?? { rows: [] }) as ProcedureTable);
    else if (value === undefined) this.lines.push(`declare ${variable} ${declaration} = ${one.defaultExpression};`);
    else if (value === null) this.lines.push(`declare ${variable} ${declaration};`);
    else this.value(variable, one, value as Exclude<ProcedureCell, null>);
    return variable;
  }

  private value(
    variable: string,
    { parameter, declaration }: MssqlCallableParameter,
    value: Exclude<ProcedureCell, null>,
  ): void {
    const sent = this.sent(parameter.type, value);
    const placeholder = `\0${this.bound.length}\0`;
    this.bound.push(sent);
    this.lines.push(
      `declare ${variable} ${declaration} = ${convertedMssql(declaration, parameter.type, placeholder)};`,
    );
    if (!mayLoseCharacters(declaration, sent)) return;
    this.lines.push(`if ${differ(`convert(nvarchar(max), ${variable})`, placeholder)} ${this.refuse(parameter.name)}`);
  }

  private sent(type: ProcedureType, value: Exclude<ProcedureCell, null>): string | Buffer {
    return sentMssql(type, value, this.offsetOf);
  }

  private table(
    variable: string,
    { parameter, declaration, columns }: MssqlCallableParameter,
    { rows }: ProcedureTable,
  ): void {
    this.lines.push(`declare ${variable} ${declaration};`);
    if (rows.length === 0) return;
    const name = `#runsheet_${this.tables.length}`;
    const { type } = parameter;
    const staged = columns.map((_, index) => ({
      name: `c${index}`,
      isBytes: type.columns[index]!.type.kind === 'File',
    }));
    const cells = rows.map((row) =>
      row.map((cell, index) => (cell === null ? null : this.sent(type.columns[index]!.type, cell))),
    );
    this.tables.push({ name, columns: staged, rows: cells });
    const types = staged.map(
      (column) =>
        `${column.name} ${column.isBytes ? 'varbinary(max)' : 'nvarchar(max) collate Latin1_General_100_BIN2'} null`,
    );
    this.staging.push(`create table ${name} (${types.join(', ')});`);
    const converted = columns.map((column, index) =>
      convertedMssql(column.declaration, type.columns[index]!.type, `c${index}`),
    );
    for (const [index, column] of columns.entries()) {
      if (!cells.some((row) => mayLoseCharacters(column.declaration, row[index] ?? ''))) continue;
      const lost = differ(`convert(nvarchar(max), ${converted[index]})`, `c${index}`);
      this.lines.push(`if exists (select 1 from ${name} where ${lost}) ${this.refuse(parameter.name)}`);
    }
    const names = columns.map((column) => quoteName(column.name, 'mssql'));
    this.lines.push(`insert ${variable} (${names.join(', ')}) select ${converted.join(', ')} from ${name};`);
  }

  private refuse(name: string): string {
    this.checked.push(name);
    return `throw ${LOST_CHARACTERS}, N'${this.marker}', ${this.checked.length};`;
  }
}

const EXACT = 'collate Latin1_General_100_BIN2';

/** Trailing blanks, which char adds, are ignored. */
const differ = (a: string, b: string): string => `${a} ${EXACT} <> ${b} ${EXACT}`;

/** The characters allowed here exist in every code page. */
const mayLoseCharacters = (declaration: string, sent: string | Buffer): boolean =>
  /^(?:var)?char\(/.test(declaration) && typeof sent === 'string' && !/^[\t\r\n\x20-\x7e]*$/.test(sent);

/** Throws an ArgumentError for a value that its parameter cannot hold exactly. */
export function batchOf(
  { schema, name, parameters }: MssqlCallable,
  args: ReadonlyMap<string, ProcedureValue>,
  timeZone: string,
): MssqlBatch {
  const batch = new Batch(timeZone);
  const passed: string[] = [];
  const outputs: { parameter: ProcedureParameter; variable: string }[] = [];
  for (const [at, one] of parameters.entries()) {
    const { parameter } = one;
    const value = args.get(parameter.name);
    if (value !== undefined) checkArgument(parameter.name, parameter.type, value, RULES_MSSQL);
    const isOutput = parameter.direction === 'inout';
    if (value === undefined && !isOutput) continue;
    const variable = batch.variable(at, one, value);
    passed.push(`@${parameter.name} = ${variable}${isOutput ? ' output' : ''}`);
    if (isOutput) outputs.push({ parameter, variable });
  }
  const answers = outputs.map(({ variable }, index) => `, ${variable} as [o${index}]`);
  batch.lines.push(
    'declare @code int;',
    `exec @code = ${quoteName(schema, 'mssql')}.${quoteName(name, 'mssql')} ${passed.join(', ')};`,
    `select @code as [${batch.marker}], @@trancount as [open]${answers.join('')};`,
  );
  return {
    staging: batch.staging.length === 0 ? null : batch.staging.join('\n'),
    tables: batch.tables,
    ...bindPlaceholders(batch.lines.join('\n'), batch.bound),
    marker: batch.marker,
    outputs: outputs.map(({ parameter }) => parameter),
    checked: batch.checked,
  };
}

const replacePlaceholders = (sql: string, text: (index: number) => string): string =>
  sql.replaceAll(/\0(\d+)\0/g, (_, index: string) => text(Number(index)));

/**
 * Replaces the references by parameters or substrings. In collations without supplementary characters, SUBSTRING counts
 * surrogates separately, as JavaScript does.
 */
function bindPlaceholders(sql: string, bound: readonly (string | Buffer)[]): { sql: string; values: BoundValue[] } {
  if (bound.length <= MAX_BOUND_VALUES) {
    const values = bound.map((value, index) => ({ name: `a${index}`, value }));
    return { sql: replacePlaceholders(sql, (index) => `@a${index}`), values };
  }
  let characters = 0;
  let octets = 0;
  const expressions = bound.map((value) => {
    if (typeof value === 'string') {
      characters += value.length;
      return `substring(@texts ${EXACT}, ${characters - value.length + 1}, ${value.length})`;
    }
    octets += value.length;
    return `substring(@bytes, ${octets - value.length + 1}, ${value.length})`;
  });
  const values: BoundValue[] = [
    { name: 'texts', value: bound.filter((value) => typeof value === 'string').join('') },
    { name: 'bytes', value: Buffer.concat(bound.filter((value) => typeof value !== 'string')) },
  ];
  return { sql: replacePlaceholders(sql, (index) => expressions[index]!), values };
}
