/** Columns and indexes for searches of the run history by status, date, and values of inputs and outputs. */
import type { Knex } from 'knex';

const TABLES = ['RunInputs', 'RunOutputs'] as const;

/**
 * Columns that the database computes and stores, so that no writer can forget them. SearchText: the first 200
 * characters of a single value's JSON, or of a file name in quotes, in lower case. SearchNumber: a single value that is
 * a number. Null if there is no such value.
 */
interface SearchColumns {
  SearchText: string;
  SearchNumber: string;
}

function onPostgres(): SearchColumns {
  const shown = `case when "FileName" is not null then '"' || "FileName" || '"' when "Rows" is null then "Value" end`;
  // Accepts only what a double can hold, because a failed cast would reject the row. Contains no question marks, which
  // Knex would treat as bindings.
  const number = `'^-{0,1}[0-9]+([.][0-9]+){0,1}([eE][-+]{0,1}[0-9]{1,2}){0,1}$'`;
  const isNumber = `"Rows" is null and length("Value") <= 40 and "Value" ~ ${number}`;
  return {
    // Uses binary collation, so that an index supports prefix comparisons. Truncates twice, because the lower case of
    // some letters is longer.
    SearchText: `varchar(200) collate "C" generated always as (left(lower(left(${shown}, 200)), 200)) stored`,
    SearchNumber: `double precision generated always as (case when ${isNumber} then "Value"::double precision end) stored`,
  };
}

function onSqlServer(): SearchColumns {
  const shown = `case when [FileName] is not null then N'"' + [FileName] + N'"' when [Rows] is null then [Value] end`;
  return {
    SearchText: `as cast(lower(left(${shown}, 200)) as nvarchar(200)) persisted`,
    SearchNumber: 'as case when [Rows] is null and len([Value]) <= 40 then try_cast([Value] as float) end persisted',
  };
}

export async function up(knex: Knex): Promise<void> {
  const isSqlServer = (knex.client as { dialect: string }).dialect === 'mssql';
  const columns = isSqlServer ? onSqlServer() : onPostgres();
  for (const table of TABLES) {
    for (const [column, definition] of Object.entries(columns)) {
      await knex.raw(`alter table ?? add ?? ${definition}`, [table, column]);
      await knex.schema.alterTable(table, (t) => {
        // SQL Server does not allow computed columns in the condition of an index.
        const predicate = isSqlServer ? undefined : { predicate: knex.whereNotNull(column) };
        t.index(['ActivityParameterId', column, 'ActivityRunId'], `IX_${table}_${column}`, predicate);
      });
    }
  }
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.index(['Status', 'Id'], 'IX_ActivityRuns_Status');
    t.index(['QueueTime'], 'IX_ActivityRuns_QueueTime');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t) => {
    t.dropIndex([], 'IX_ActivityRuns_QueueTime');
    t.dropIndex([], 'IX_ActivityRuns_Status');
  });
  for (const table of TABLES) {
    await knex.schema.alterTable(table, (t) => {
      t.dropIndex([], `IX_${table}_SearchNumber`);
      t.dropIndex([], `IX_${table}_SearchText`);
      t.dropColumns('SearchNumber', 'SearchText');
    });
  }
}
