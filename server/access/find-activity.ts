import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { columnsOf } from '#server/db/prepared.ts';
import { createBatchedReader } from '#server/db/batched-reader.ts';
import type { ActivitiesRow } from '#server/db/tables.ts';
import type { QueueingColumns } from '#shared/contract/queueing.ts';

export type ActivityRow = QueueingColumns &
  Pick<
    ActivitiesRow,
    | 'Id'
    | 'Name'
    | 'Type'
    | 'ProcedureName'
    | 'Description'
    | 'SingleRun'
    | 'IsActive'
    | 'Schema'
    | 'Group'
    | 'Function'
    | 'Order'
    | 'MemoryCost'
    | 'DisplayInfo'
    | 'Version'
    | 'Revision'
  >;

const COLUMNS = columnsOf<ActivityRow>({
  Id: true,
  Name: true,
  Type: true,
  ProcedureName: true,
  Description: true,
  SingleRun: true,
  IsActive: true,
  Schema: true,
  Group: true,
  Function: true,
  Order: true,
  MemoryCost: true,
  DisplayInfo: true,
  Version: true,
  Revision: true,
  Pool: true,
  Priority: true,
  RunsAtOnce: true,
});

export interface FoundActivity extends ActivityRow {
  /** 1 if any input of the activity has a preset value, else 0. */
  HasPresets: number;
}

export const findActivity = createBatchedReader<number, FoundActivity>(
  (db, ids) => db('Activities').whereIn('Id', ids).select(COLUMNS).select(hasPresets(db)),
  ({ Id }) => Id,
);

function hasPresets(db: Db): Knex.Raw {
  const preset = db('ActivityParameters as P')
    .whereRaw('?? = ??', ['P.ActivityId', 'Activities.Id'])
    .where('P.Direction', 'input')
    .whereNotNull('P.PresetValue')
    .select(db.raw('1'));
  return db.raw('case when exists (?) then 1 else 0 end as ??', [preset, 'HasPresets']);
}
