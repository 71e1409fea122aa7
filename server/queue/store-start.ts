/**
 * Stores starts that need nothing else in their transaction. Starts that arrive at about the same time are stored in
 * one statement.
 */
import type { Knex } from 'knex';
import { createBatcher } from '#server/background/batcher.ts';
import { changeWithChildren, charactersOf } from './change-with-children.ts';
import type { Database } from '#server/db/database.ts';
import type { ChildRows, ManyChanges, Row } from '#server/db/dialect/types.ts';
import { nextRank, executingRank } from './fair-queue.ts';
import { bandColumns, type PriorityBand } from './priority-bands.ts';
import { FIRST_FENCE, type SlotReservation } from './slot-reservation.ts';
import { pickedUp } from './run-queue.ts';

export interface StoredStart {
  run: Row & { TurnOwner: string };
  band: PriorityBand;
  inputs: ChildRows;
  /** The slot of the worker that takes the run; the run is queued if absent. */
  reservation?: SlotReservation | undefined;
}

/** The properties that all starts of one statement share. */
type StartDestination = Pick<StoredStart, 'band' | 'reservation'>;

/** Returns the run's Id. */
type Store = (start: StoredStart) => Promise<number>;

const MAX_BATCH_SIZE = 32;
/** Longer starts are stored alone. */
const MAX_BATCHED_CHARACTERS = 50_000;

/** The columns of a batched start. Starts with other columns, such as steps and child runs, are stored alone. */
const RUN = {
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
  TurnOwner: 'text',
  TraceParent: 'text',
} as const;

/** By database, then by priority band and worker; '' stands for the queue. */
const stores = new WeakMap<Knex, Map<string, Store>>();

export function storeStart(database: Database, start: StoredStart): Promise<number> {
  const isPlain = Object.keys(start.run).every((column) => column in RUN);
  if (!database.dialect.many || !isPlain || charactersOf([start.inputs]) > MAX_BATCHED_CHARACTERS) {
    return storeAlone(database, start);
  }
  const ofDatabase = stores.get(database.knex) ?? new Map<string, Store>();
  stores.set(database.knex, ofDatabase);
  const { band, reservation } = start;
  const of = [reservation?.worker ?? '', band.Pool, band.FirstRank, band.RunsAtOnce].join(' ');
  const store = ofDatabase.get(of) ?? createStore(database, database.dialect.many, { band, reservation });
  ofDatabase.set(of, store);
  return store(start);
}

async function storeAlone(database: Database, { run, band, inputs, reservation }: StoredStart): Promise<number> {
  const insert = (db: Knex): Knex.QueryBuilder =>
    db('ActivityRuns')
      .insert({
        ...run,
        ...stateOf(database, db, { band, reservation }, nextRank(database, db, { band, owner: run.TurnOwner })),
      })
      .returning('Id');
  return (await changeWithChildren(database.knex, insert, [inputs]))!;
}

function stateOf(database: Database, db: Knex, { band, reservation }: StartDestination, rank: Knex.Raw) {
  if (!reservation) return { Status: 'Queued' as const, ...bandColumns(band), Turn: rank };
  const { worker, leaseSeconds } = reservation;
  return {
    ...pickedUp(database, db, worker, leaseSeconds),
    ...bandColumns(band),
    Fence: FIRST_FENCE,
    Turn: executingRank(db, band),
  };
}

function createStore(
  database: Database,
  many: NonNullable<Database['dialect']['many']>,
  destination: StartDestination,
): Store {
  const store = many.inOneStatement(database.knex, insertionOf(database, destination));
  return createBatcher<StoredStart, number>({
    maxBatchSize: MAX_BATCH_SIZE,
    many: async (starts) => {
      const stored = await store(starts.map(({ run, inputs }) => ({ values: run, children: [inputs] })));
      return stored.map((row) => row!.Id);
    },
    alone: (start) => storeAlone(database, start),
    isUncertain: (error) => database.dialect.classify(error).fault === 'connection',
  });
}

/** Gives the starts of one owner consecutive ranks. */
function insertionOf(database: Database, destination: StartDestination): ManyChanges {
  return {
    changeColumns: RUN,
    newIn: 'ActivityRuns',
    change: (knex) => {
      // Owners are sorted because each one blocks other starts of the same owner: two statements must not wait for each
      // other.
      const owners = knex('Given').distinct('TurnOwner').orderBy('TurnOwner').as('Owner');
      const first = nextRank(database, knex, { band: destination.band, owner: knex.raw('??', ['Owner.TurnOwner']) });
      const firsts = knex.select('Owner.TurnOwner', knex.raw('? as ??', [first, 'First'])).from(owners);
      const before = knex.raw('row_number() over (partition by ?? order by ??)', ['Given.TurnOwner', 'Given.Place']);
      const rank = knex.raw('?? + ? - 1', ['Firsts.First', before]);
      const state = stateOf(database, knex, destination, rank);
      const rows = knex('Given').select('Given.Id', ...Object.keys(RUN).map((column) => `Given.${column}`));
      for (const value of Object.values(state)) void rows.select(knex.raw('?', [value]));
      if (!destination.reservation)
        void rows.withMaterialized('Firsts', firsts).join('Firsts', 'Firsts.TurnOwner', 'Given.TurnOwner');
      const columns = ['Id', ...Object.keys(RUN), ...Object.keys(state)];
      const into = knex.raw(`?? (${columns.map(() => '??').join(', ')})`, ['ActivityRuns', ...columns]);
      return knex(into).insert(rows).returning('Id');
    },
  };
}
