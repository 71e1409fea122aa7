/** The statements that a Write step sends to a SQL Server. Without a server. */
import { expect, it } from 'vitest';
import { runWrite } from '#server/connections/write.ts';
import { writeStepRows } from '#server/queue/steps/write/step-write.ts';
import { recordedMssql } from './recorded-mssql.ts';
import type { RecordedMssql, Statement } from './recorded-mssql.ts';

type Access = Parameters<typeof writeStepRows>[0];
type Step = Parameters<typeof writeStepRows>[2];

const signal = new AbortController().signal;
const person = { UserId: 1, IsUserAdmin: false, fromInternet: false };

/** Writes days into a table with a single column and returns the statements sent. */
async function written(step: Pick<Step, 'mode' | 'keys'>): Promise<{ sent: Statement[]; database: RecordedMssql }> {
  const database = recordedMssql((sql) =>
    sql.includes('INFORMATION_SCHEMA')
      ? [
          ['name', 'NVarChar', 'Paid on?'],
          ['type', 'NVarChar', 'datetime2'],
          ['nullable', 'NVarChar', 'YES'],
        ]
      : [
          ['', 'Int', 2],
          ['Count', 'Int', 0],
        ],
  );
  const target = { name: 'Ledger', url: '', database, timeZone: 'UTC', maxRows: 10, timeLimit: 60_000 };
  const access = {
    require: async () => ({
      kind: 'mssql',
      write: (...[work, options]: [Parameters<typeof runWrite>[1], Parameters<typeof runWrite>[2]]) =>
        runWrite(target, work, options),
    }),
  } as unknown as Access;
  const rows = step.mode === 'Upsert' ? [[46_000.5]] : [[46_000.5], [null]];
  const whole = { connection: 'Ledger', target: 'dbo.Orders', columns: ['Paid on?'], dates: [true], rows, ...step };
  await writeStepRows(access, person, whole, signal);
  return { sent: database.statements, database };
}

it('queries the catalog by its names in capitals, which matter if names are case-sensitive', async () => {
  const { sent } = await written({ mode: 'Append', keys: [] });
  expect(sent[0]?.sql).toBe(
    'select [COLUMN_NAME] as [name], [DATA_TYPE] as [type], [IS_NULLABLE] as [nullable] from [INFORMATION_SCHEMA].[COLUMNS] ' +
      'where [TABLE_NAME] = @p0 and [TABLE_SCHEMA] = @p1 order by [ORDINAL_POSITION] asc',
  );
});

it('sends days and times without a zone, nulls without a type, and names as they are', async () => {
  const { sent } = await written({ mode: 'Append', keys: [] });
  expect(sent.at(-1)).toEqual({
    sql: 'insert into [dbo].[Orders] ([Paid on?]) values (@p0), (null)',
    bindings: ['NVarChar "2025-12-09T12:00:00.000"'],
  });
});

it('locks the table by a statement that reads it', async () => {
  const { sent } = await written({ mode: 'Replace', keys: [] });
  expect(sent[1]?.sql).toBe('select top (1) 1 as Locked from [dbo].[Orders] with (tablockx, holdlock)');
});

it('stages the rows of an Upsert in a temporary table that the statements after it see', async () => {
  const { sent, database } = await written({ mode: 'Upsert', keys: ['Paid on?'] });
  const staged = sent.findIndex(({ sql }) => /^select top \(0\) \[Paid on\?\] into \[#runsheet_\w+\] from/.test(sql));
  expect(staged).toBeGreaterThan(0);
  expect(database.sentAs[staged]).toBe('batch');
  expect(sent[staged + 1]?.sql).toMatch(/^insert into \[#runsheet_\w+\] \(\[Paid on\?\]\) values \(@p0\)$/);
  expect(sent.at(-1)?.sql).toMatch(/^drop table \[#runsheet_\w+\]$/);
});
