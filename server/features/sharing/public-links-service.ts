/**
 * Limits of public links. A link is the internet's grant of sk.RunActivity on an activity; a row here adds an end, or a
 * number of runs.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { GrantsService } from '#server/features/rights/grants-service.ts';
import { THE_PROGRAM } from '#server/access/actor.ts';

const DAY_SECONDS = 86_400;

export interface LinkRow {
  ActivityId: number;
  ExpiryTime: Date | null;
  MaxRuns: number | null;
  RunCount: number;
}

export async function findLink(db: Db, ActivityId: number): Promise<LinkRow | undefined> {
  return db('PublicLinks').where({ ActivityId }).first('ActivityId', 'ExpiryTime', 'MaxRuns', 'RunCount');
}

/** Null removes a limit; a limit that is undefined stays, with its count. */
export interface LinkLimits {
  Days?: number | null | undefined;
  MaxRuns?: number | null | undefined;
}

/** Stores the limits; without a limit, no row is needed. */
export async function writeLink(
  trx: Knex.Transaction,
  ActivityId: number,
  { Days, MaxRuns }: LinkLimits,
): Promise<void> {
  const end = typeof Days === 'number' ? dialectOf(trx).nowPlus(trx, Days * DAY_SECONDS) : null;
  const limits = {
    ...(Days === undefined ? {} : { ExpiryTime: end }),
    ...(MaxRuns === undefined ? {} : { MaxRuns, RunCount: 0 }),
  };
  const row = trx('PublicLinks').where({ ActivityId });
  if (!(await row.clone().first('ActivityId'))) await trx('PublicLinks').insert({ ActivityId, ...limits });
  else if (Object.keys(limits).length > 0) await row.clone().update(limits);
  await row.clone().whereNull('ExpiryTime').whereNull('MaxRuns').delete();
}

/**
 * Throws an AppError 409 if limits are to stay, but the link has ended since they were shown: a new one would have none.
 */
export async function requireKeptLimits(
  trx: Knex.Transaction,
  ActivityId: number,
  { Days, MaxRuns }: LinkLimits,
): Promise<void> {
  if (Days !== undefined && MaxRuns !== undefined) return;
  const key = { RightName: 'sk.RunActivity', KeyColumnName: 'Id', KeyColumnValue: String(ActivityId) };
  const grant = await trx('Grants')
    .where({ GranteeKind: 'internet', ...key })
    .where('Access', '>', 0)
    .first('Access');
  const expired = trx('PublicLinks').where({ ActivityId }).where('ExpiryTime', '<=', dialectOf(trx).now(trx));
  if (!grant || (Days === undefined && (await expired.first('ActivityId'))))
    throw new AppError('linkEnded', 409, 'The link has expired in the meantime: check its limits and save again');
}

const noRunsLeft = (): AppError => new AppError('noRunsLeft', 409, 'All runs of this link have been used');

const rowsNotOffered = (): AppError =>
  new AppError(
    'evaluationImpossible',
    409,
    'This link has a limited number of runs, so it cannot be used to calculate many rows',
  );

/** Limits the runs of visitors. */
export interface PublicRunLimit {
  /** Throws an AppError 409 if the link of the activity has no runs left. */
  check(activityId: number): Promise<void>;
  /** Counts a run while it is started. The count is taken back if the start fails. Throws like `check`. */
  counted<T>(activityId: number, start: () => Promise<T>): Promise<T>;
  /** Throws an AppError 409 if the link of the activity has a limit: rows that are calculated without runs would evade it. */
  refuseLimited(activityId: number): Promise<void>;
}

export function createPublicRunLimit({ knex }: Pick<Database, 'knex'>): PublicRunLimit {
  /** Returns whether the link is limited. */
  async function take(ActivityId: number): Promise<boolean> {
    const counted = await knex('PublicLinks')
      .where({ ActivityId })
      .whereRaw('?? < ??', ['RunCount', 'MaxRuns'])
      .increment('RunCount', 1);
    if (counted > 0) return true;
    await check(ActivityId);
    return false;
  }

  async function check(activityId: number): Promise<void> {
    const link = await findLink(knex, activityId);
    if (link && link.MaxRuns !== null && link.RunCount >= link.MaxRuns) throw noRunsLeft();
  }

  return {
    check,
    refuseLimited: async (activityId) => {
      const link = await findLink(knex, activityId);
      if (link && link.MaxRuns !== null) throw rowsNotOffered();
    },
    counted: async (ActivityId, start) => {
      const isLimited = await take(ActivityId);
      try {
        return await start();
      } catch (error) {
        if (isLimited)
          await knex('PublicLinks').where({ ActivityId }).where('RunCount', '>', 0).decrement('RunCount', 1);
        throw error;
      }
    },
  };
}

/** Deletes the grants of links that have expired. Until then, the rights engine ignores these grants. */
export async function endExpiredLinks(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  grants: Pick<GrantsService, 'changeTogether' | 'lock'>,
): Promise<void> {
  const expiredIn = (db: Db): Knex.QueryBuilder =>
    db('PublicLinks').where('ExpiryTime', '<=', dialect.now(db)).select('ActivityId');
  const expired = (await expiredIn(knex)) as Pick<LinkRow, 'ActivityId'>[];
  for (const { ActivityId } of expired) {
    await inTransaction(knex, async (trx) => {
      await grants.lock(trx);
      // The link may have been renewed in the meantime.
      if (!(await expiredIn(trx).where({ ActivityId }).first())) return;
      await grants.changeTogether(trx, THE_PROGRAM, linkChange('delete', ActivityId));
    });
  }
}

/** The change of the internet's grant that creates or revokes a link. */
export const linkChange = (how: 'grant' | 'delete', activityId: number) => ({
  how,
  rights: ['sk.RunActivity'] as const,
  keyColumn: 'Id',
  value: String(activityId),
  users: new Map<number, string>(),
  roles: [],
  internet: true,
});
