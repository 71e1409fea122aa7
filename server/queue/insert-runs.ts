/** The statements that insert runs. */
import type { Knex } from 'knex';
import { createBatcher } from '#server/background/batcher.ts';
import { changeWithChildren, charactersOf } from './change-with-children.ts';
import type { Database } from '#server/db/database.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { ChildRows, ManyChanges, Row } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import { nextRank, executingRank } from './fair-queue.ts';
import { bandColumns, type PriorityBand } from './priority-bands.ts';
import { FIRST_FENCE, type SlotReservation } from './slot-reservation.ts';
import { pickedUp } from './run-queue.ts';

type RunKeys = Pick<ActivityRunsRow, 'Id' | 'StepKey' | 'RowKey'>;

/** Inserts runs in the state that their columns say. Returns their Ids in any order. */
export async function insertRunRows(
  trx: Knex.Transaction,
  rows: readonly Knex.DbRecord<ActivityRunsRow>[],
): Promise<RunKeys[]> {
  const inserted: RunKeys[] = [];
  await inRows(trx, rows, async (part) => {
    inserted.push(...(await trx('ActivityRuns').insert(part).returning<RunKeys[]>(['Id', 'StepKey', 'RowKey'])));
  });
  return inserted;
}

export interface NewStart {
  run: Row & { TurnOwner: string };
  band: PriorityBand;
  inputs: ChildRows;
  /** The slot of the worker that takes the run; the run is queued if absent. */
  reservation?: SlotReservation | undefined;
}

/** The properties that all starts of one statement share. */
type Destination = Pick<NewStart, 'band' | 'reservation'>;

/** Returns the run's Id. */
type Insert = (start: NewStart) => Promise<number>;

const MAX_BATCH_SIZE = 32;
/** Longer starts are inserted alone. */
const MAX_BATCHED_CHARACTERS = 50_000;

/** The columns of a batched start. Starts with other columns are inserted alone. */
const BATCHED = {
  ActivityId: 'integer',
  ActivityVersion: 'integer',
  UserId: 'integer',
  UniqueId: 'text',
  RetryOf: 'bigint',
  MemoryCost: 'float',
  SingleRun: 'boolean',
  ActivityLinkId: 'integer',
  SourceRunId: 'bigint',
  PublicTokenHash: 'text',
  ClientName: 'text',
  TurnOwner: 'text',
  TraceParent: 'text',
} as const;

/** By database, then by priority band and worker; '' stands for the queue. */
const batchers = new WeakMap<Knex, Map<string, Insert>>();

/**
 * Inserts a start with its inputs, in one statement; starts that arrive at about the same time share it. Returns the Id.
 */
export function insertStart(database: Database, start: NewStart): Promise<number> {
  const { many } = database.dialect;
  const isPlain = Object.keys(start.run).every((column) => column in BATCHED);
  if (!many || !isPlain || charactersOf([start.inputs]) > MAX_BATCHED_CHARACTERS) return insertAlone(database, start);
  const ofDatabase = batchers.get(database.knex) ?? new Map<string, Insert>();
  batchers.set(database.knex, ofDatabase);
  const { band, reservation } = start;
  const of = [reservation?.worker ?? '', band.Pool, band.FirstRank, band.RunsAtOnce].join(' ');
  const insert = ofDatabase.get(of) ?? createInsert(database, many, { band, reservation });
  ofDatabase.set(of, insert);
  return insert(start);
}

async function insertAlone({ knex }: Database, { run, inputs, ...destination }: NewStart): Promise<number> {
  const insert = (db: Knex): Knex.QueryBuilder =>
    db('ActivityRuns')
      .insert({ ...run, ...stateOf(db, destination, rankOf(db, destination.band, run.TurnOwner)) })
      .returning('Id');
  return (await changeWithChildren(knex, insert, [inputs]))!;
}

export const rankOf = (db: Knex, band: PriorityBand, owner: string | Knex.Raw): Knex.Raw =>
  nextRank({ dialect: dialectOf(db) }, db, { band, owner });

/** Returns the columns of a run that is queued with this rank, or is a worker's from the beginning. */
export function stateOf(db: Knex, { band, reservation }: Destination, rank: Knex.Raw) {
  if (!reservation) return { Status: 'Queued' as const, ...bandColumns(band), Turn: rank };
  const { worker, leaseSeconds } = reservation;
  return {
    ...pickedUp({ dialect: dialectOf(db) }, db, worker, leaseSeconds),
    ...bandColumns(band),
    Fence: FIRST_FENCE,
    Turn: executingRank(db, band),
  };
}

function createInsert(
  database: Database,
  many: NonNullable<Database['dialect']['many']>,
  destination: Destination,
): Insert {
  const insert = many.inOneStatement(database.knex, batchInsert(destination));
  return createBatcher<NewStart, number>({
    maxBatchSize: MAX_BATCH_SIZE,
    many: async (starts) => {
      const inserted = await insert(starts.map(({ run, inputs }) => ({ values: run, children: [inputs] })));
      return inserted.map((row) => row!.Id);
    },
    alone: (start) => insertAlone(database, start),
    isUncertain: (error) => database.dialect.classify(error).fault === 'connection',
  });
}

/** Gives the starts of one owner consecutive ranks. */
function batchInsert(destination: Destination): ManyChanges {
  return {
    changeColumns: BATCHED,
    newIn: 'ActivityRuns',
    change: (knex) => {
      // Owners are sorted because each one blocks other starts of the same owner: two statements must not wait for each
      // other.
      const owners = knex('Given').distinct('TurnOwner').orderBy('TurnOwner').as('Owner');
      const first = rankOf(knex, destination.band, knex.raw('??', ['Owner.TurnOwner']));
      const firsts = knex.select('Owner.TurnOwner', knex.raw('? as ??', [first, 'First'])).from(owners);
      const before = knex.raw('row_number() over (partition by ?? order by ??)', ['Given.TurnOwner', 'Given.Place']);
      const state = stateOf(knex, destination, knex.raw('?? + ? - 1', ['Firsts.First', before]));
      const rows = knex('Given').select('Given.Id', ...Object.keys(BATCHED).map((column) => `Given.${column}`));
      for (const value of Object.values(state)) void rows.select(knex.raw('?', [value]));
      if (!destination.reservation)
        void rows.withMaterialized('Firsts', firsts).join('Firsts', 'Firsts.TurnOwner', 'Given.TurnOwner');
      const columns = ['Id', ...Object.keys(BATCHED), ...Object.keys(state)];
      const into = knex.raw(`?? (${columns.map(() => '??').join(', ')})`, ['ActivityRuns', ...columns]);
      return knex(into).insert(rows).returning('Id');
    },
  };
}
