/**
 * Squashes the statements that Knex sends to SQL Server for all migrations into statements that create the final
 * tables.
 */

interface Table {
  /** For example `[Name] nvarchar(50) not null …` */
  columns: string[];
  /** For example `CONSTRAINT [PK_Users] PRIMARY KEY ([UserId])` */
  constraints: string[];
}

/** An index, or a constraint added to an existing table. */
interface Addition {
  table: string;
  sql: string;
}

interface Schema {
  tables: Map<string, Table>;
  additions: Addition[];
  views: string[];
  inserts: Addition[];
}

export interface SquashedStatements {
  tables: string[];
  /** Indexes and foreign keys. */
  additions: string[];
  views: string[];
  inserts: string[];
}

/** Throws for a statement without a rule; a new rule is then needed. */
export function squashStatements(statements: readonly string[]): SquashedStatements {
  const schema: Schema = { tables: new Map(), additions: [], views: [], inserts: [] };
  for (const sql of statements) apply(schema, sql);
  return {
    tables: [...schema.tables].map(([name, table]) => createTable(name, table)),
    additions: schema.additions.map(({ sql }) => sql),
    views: schema.views,
    inserts: schema.inserts.map(({ sql }) => sql),
  };
}

type Rule = [pattern: RegExp, change: (schema: Schema, groups: string[], sql: string) => void];

/** Knex writes its own keywords in upper case; `knex.raw` in migrations uses lower case. */
const RULES: Rule[] = [
  [/^create table \[(\w+)\] \((.*)\)$/is, (schema, [name, items]) => schema.tables.set(name!, tableOf(items!))],
  [/^drop table \[(\w+)\]$/i, (schema, [name]) => dropTable(schema, name!)],
  [
    /^alter table \[(\w+)\] add (\[.*)$/is,
    (schema, [table, items]) => void find(schema, table!).columns.push(...splitItems(items!)),
  ],
  [/^alter table \[(\w+)\] drop column \[(\w+)\]$/i, (schema, [table, column]) => dropColumn(schema, table!, column!)],
  [
    /^exec sp_rename N'\[(\w+)\]\.(\w+)', N'(\w+)', 'COLUMN'$/,
    (schema, [table, from, to]) => renameColumn(schema, table!, from!, to!),
  ],
  // Knex drops the default of a column before the column itself.
  [/^declare @constraint /i, () => {}],
  [/^alter table \[(\w+)\] add constraint /i, addAddition],
  [/^create (?:unique )?index \[\w+\] on \[(\w+)\]/i, addAddition],
  [/^drop index \[(\w+)\] on \[(\w+)\]$/i, (schema, [index, table]) => dropIndex(schema, index!, table!)],
  [/^create view /i, (schema, _, sql) => void schema.views.push(sql)],
  [/^insert into \[(\w+)\]/i, (schema, [table], sql) => void schema.inserts.push({ table: table!, sql })],
  [/^update \[(\w+)\]/i, (schema, [table], sql) => skipUpdate(schema, table!, sql)],
];

function apply(schema: Schema, sql: string): void {
  for (const [pattern, change] of RULES) {
    const match = pattern.exec(sql);
    if (match) return change(schema, match.slice(1), sql);
  }
  throw new Error(`No rule squashes this statement: ${sql}`);
}

function addAddition(schema: Schema, [table]: string[], sql: string): void {
  schema.additions.push({ table: table!, sql });
}

/** The only tables that migrations fill are the two of Knex. Its lock is free before and after the migrations. */
function skipUpdate({ inserts }: Schema, table: string, sql: string): void {
  if (table !== 'Migrations_lock' && inserts.some((insert) => insert.table === table)) {
    throw new Error(`No rule squashes an update of rows that a migration inserted: ${sql}`);
  }
}

function find({ tables }: Schema, name: string): Table {
  const table = tables.get(name);
  if (!table) throw new Error(`There is no table ${name}`);
  return table;
}

function tableOf(items: string): Table {
  const all = splitItems(items);
  const isColumn = (item: string): boolean => item.startsWith('[');
  return { columns: all.filter(isColumn), constraints: all.filter((item) => !isColumn(item)) };
}

function dropTable(schema: Schema, name: string): void {
  schema.tables.delete(name);
  schema.additions = schema.additions.filter(({ table }) => table !== name);
}

function dropIndex(schema: Schema, index: string, table: string): void {
  const remaining = schema.additions.filter(
    ({ sql }) => !sql.toLowerCase().includes(`index [${index}] on [${table}]`.toLowerCase()),
  );
  if (remaining.length !== schema.additions.length - 1) throw new Error(`There is no index ${index} on ${table}`);
  schema.additions = remaining;
}

function dropColumn(schema: Schema, tableName: string, column: string): void {
  const table = find(schema, tableName);
  table.columns = table.columns.filter((item) => !item.startsWith(`[${column}] `));
  refuseMentions(schema, tableName, column);
}

function renameColumn(schema: Schema, tableName: string, from: string, to: string): void {
  const table = find(schema, tableName);
  const start = `[${from}] `;
  table.columns = table.columns.map((item) => (item.startsWith(start) ? `[${to}] ${item.slice(start.length)}` : item));
  refuseMentions(schema, tableName, from);
}

/** SQL Server changes or rejects these, and no rule handles them. */
function refuseMentions(schema: Schema, tableName: string, column: string): void {
  const { columns, constraints } = find(schema, tableName);
  const additions = schema.additions.filter(({ table }) => table === tableName).map(({ sql }) => sql);
  const mention = [...columns, ...constraints, ...additions].find((sql) => sql.includes(`[${column}]`));
  if (mention) throw new Error(`No rule changes what mentions the column ${column} of ${tableName}: ${mention}`);
}

/** Splits at commas outside parentheses and quotes. */
function splitItems(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "'") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 0) {
      items.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...items, text.slice(start).trim()];
}

const createTable = (name: string, { columns, constraints }: Table): string =>
  `CREATE TABLE [${name}] (\n  ${[...columns, ...constraints].join(',\n  ')}\n)`;
