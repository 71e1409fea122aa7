/** The requests of a run's Start steps: stored when the run ends, and executed from then on. */
import type { Knex } from 'knex';
import type { ChildRows, Db } from '#server/db/dialect/types.ts';
import type { RunStartsRow } from '#server/db/tables.ts';

/** The rows of a Start step: the inputs they fill, and the values of each row by its key. */
export interface StartedRows {
  /** ActivityParameterIds. */
  Inputs: number[];
  Rows: [key: string, values: unknown[]][];
}

/** Marks a value that a row leaves to the workbook, if the input has a default. */
export const DEFAULT_VALUE = { UseDefault: true } as const;

export interface NewRunStart {
  StepKey: string;
  StepName: string;
  ActivityId: number;
  ActivityVersion: number;
  UserId: number;
  RootRunId: number;
  RowCount: number;
  /** StartedRows as JSON. */
  Rows: string;
  AtOnce: number;
  StopAfterFailures: number | null;
}

export interface RunStart extends Omit<NewRunStart, 'Rows'> {
  ParentRunId: number;
  EndTime: Date | null;
  /** True if the rows have been turned into runs. */
  IsMade: boolean;
}

/** Identifies a Start step of a run. */
export type OfStart = Pick<RunStartsRow, 'ParentRunId' | 'StepKey'>;

/** Returns the requests as rows that are inserted with the end of the run. */
export const runStartRows = (rows: readonly NewRunStart[]): ChildRows => ({
  table: 'RunStarts',
  parentColumn: 'ParentRunId',
  columns: {
    StepKey: 'text',
    StepName: 'text',
    ActivityId: 'integer',
    ActivityVersion: 'integer',
    UserId: 'integer',
    RootRunId: 'bigint',
    RowCount: 'integer',
    Rows: 'text',
    AtOnce: 'integer',
    StopAfterFailures: 'integer',
  },
  rows,
});

const COLUMNS = [
  'ParentRunId',
  'StepKey',
  'StepName',
  'ActivityId',
  'ActivityVersion',
  'UserId',
  'RootRunId',
  'RowCount',
  'AtOnce',
  'StopAfterFailures',
  'EndTime',
];

/** Selects everything except the rows, which may be long. */
function runStarts(db: Db): Knex.QueryBuilder {
  return db('RunStarts').select(
    ...COLUMNS.map((column) => `RunStarts.${column}`),
    db.raw('case when ?? is null then 1 else 0 end as ??', ['RunStarts.Rows', 'IsMade']),
  );
}

const startOf = (row: Omit<RunStart, 'IsMade'> & { IsMade: number }): RunStart => ({
  ...row,
  IsMade: row.IsMade === 1,
});

export async function listRunStarts(db: Db, ParentRunId: number): Promise<RunStart[]> {
  const rows = (await runStarts(db).where({ ParentRunId }).orderBy('StepKey')) as (RunStart & { IsMade: never })[];
  return rows.map(startOf);
}

export async function findRunStart(db: Db, of: OfStart): Promise<RunStart | undefined> {
  const row = await runStarts(db).where(of).first<(RunStart & { IsMade: never }) | undefined>();
  return row && startOf(row);
}

/** Locks the Start step until the transaction ends. */
export async function lockRunStart(trx: Knex.Transaction, of: OfStart): Promise<RunStart | undefined> {
  const row = await runStarts(trx).where(of).forUpdate().first<(RunStart & { IsMade: never }) | undefined>();
  return row && startOf(row);
}
