/** Writes the ends of runs. Ends that arrive at about the same time are written in one statement. */
import type { Knex } from 'knex';
import { createBatcher } from '#server/background/batcher.ts';
import { charactersOf } from './change-with-children.ts';
import type { Database } from '#server/db/database.ts';
import type { ChildRows, ManyChanges, OneChange } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

export interface WrittenEnd {
  worker: string;
  run: { Id: number; Fence: number };
  status: RunStatus;
  /** See RunEnd. */
  startedAt: number | null;
  children: readonly ChildRows[];
  /** Writes this end alone. Returns false if the worker no longer holds the run or the run was cancelled. */
  alone(): Promise<boolean>;
}

/** EndTime is null if the database did not return it. */
export interface EndWritten {
  EndTime: Date | null;
}

type Write = (end: WrittenEnd) => Promise<EndWritten | undefined>;

/** The columns that every end of a run changes in the same way. */
export const ENDED_COLUMNS = { LeaseUntil: null, Phase: '', Share: null } as const;

const MAX_BATCH_SIZE = 32;
/** Longer ends are written alone. */
const MAX_BATCHED_CHARACTERS = 50_000;

const writes = new WeakMap<Knex, Write>();

/** Returns undefined if WrittenEnd.alone returns false. */
export function writeEnd(database: Database, end: WrittenEnd): Promise<EndWritten | undefined> {
  const { many } = database.dialect;
  if (!many || charactersOf(end.children) > MAX_BATCHED_CHARACTERS) return writeAlone(end);
  const write = writes.get(database.knex) ?? createWrite(database, many);
  writes.set(database.knex, write);
  return write(end);
}

const writeAlone: Write = async (end) => ((await end.alone()) ? { EndTime: null } : undefined);

function createWrite(database: Database, many: NonNullable<Database['dialect']['many']>): Write {
  const write = many.inOneStatement(database.knex, endingOf(database, many));
  return createBatcher<WrittenEnd, EndWritten | undefined>({
    maxBatchSize: MAX_BATCH_SIZE,
    many: async (ends) => {
      const rows = await write(ends.map(changeOf));
      // Rows that another transaction had locked were skipped.
      return ends.map((end, index) => {
        const row = rows[index];
        return row ? { EndTime: row.Answer as Date } : writeAlone(end);
      });
    },
    alone: writeAlone,
    isUncertain: (error) => database.dialect.classify(error).fault === 'connection',
  });
}

function changeOf({ worker, run: { Id, Fence }, status, startedAt, children }: WrittenEnd): OneChange {
  const Ago = startedAt === null ? null : (performance.now() - startedAt) / 1000;
  return { values: { Id, Fence, WorkerId: worker, Status: status, Ago }, children };
}

function endingOf({ dialect }: Database, many: NonNullable<Database['dialect']['many']>): ManyChanges {
  return {
    changeColumns: { Id: 'bigint', Fence: 'integer', WorkerId: 'text', Status: 'text', Ago: 'float' },
    answers: 'EndTime',
    change: (knex) => {
      const held = whereStatus(
        knex('Given').select('Run.Id', 'Given.Status', 'Given.Ago'),
        ['PickedUp', 'Started'],
        'Run.Status',
      )
        .join('ActivityRuns as Run', (on) => {
          for (const column of ['Id', 'Fence', 'WorkerId']) void on.on(`Run.${column}`, `Given.${column}`);
        })
        .where('Run.LeaseUntil', '>', dialect.now(knex))
        .whereNull('Run.CancelTime')
        // Skipping avoids deadlocks: the statement never waits for a row while it holds others.
        .forNoKeyUpdate('Run')
        .skipLocked();
      const ago = many.ago(knex, 'Held.Ago');
      const began = knex.raw('case when ?? > ? then ?? else ? end', ['Run.PickupTime', ago, 'Run.PickupTime', ago]);
      const StartTime = knex.raw('coalesce(??, ?, ??)', ['Run.StartTime', began, 'Run.PickupTime']);
      return knex('ActivityRuns as Run')
        .withMaterialized('Held', held)
        .updateFrom('Held')
        .where('Run.Id', knex.ref('Held.Id'))
        .update({ ...ENDED_COLUMNS, Status: knex.ref('Held.Status'), EndTime: dialect.now(knex), StartTime })
        .returning(['Run.Id', 'Run.EndTime']);
    },
  };
}
