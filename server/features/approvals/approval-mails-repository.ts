import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { Language } from '#shared/contract/auth.ts';
import type { Db } from '#server/db/dialect/types.ts';

export type ApprovalMailKind = 'Begun' | 'Reminder' | 'Ended';

export interface TakenMail {
  Id: number;
  ApprovalId: number;
  UserId: number;
  Kind: ApprovalMailKind;
  Attempts: number;
}

/** Restricts a query to mails that are due and not claimed. */
export function dueMails(
  query: Knex.QueryBuilder,
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
): Knex.QueryBuilder {
  return query.whereNull('TakenTime').where('DueTime', '<=', dialect.now(knex));
}

/** Claims mails. No other server sends them from then on. */
export async function takeMails(database: Pick<Database, 'knex' | 'dialect'>, limit: number): Promise<TakenMail[]> {
  const { knex, dialect } = database;
  return dialect.claimRows<TakenMail>(knex, {
    table: 'ApprovalMails',
    key: 'Id',
    where: (query) => void dueMails(query, database),
    orderBy: [{ column: 'DueTime' }, { column: 'Id' }],
    limit,
    set: { TakenTime: dialect.now(knex) },
    returning: ['Id', 'ApprovalId', 'UserId', 'Kind', 'Attempts'],
  });
}

/** Wait before the next attempt, with exponential backoff. */
const secondsAfter = (attempts: number): number => 30 * 2 ** attempts;

/** Releases a mail that this server claimed, for another attempt. */
export async function putBackMail({ knex, dialect }: Database, Id: number, Attempts: number): Promise<void> {
  await knex('ApprovalMails')
    .where({ Id })
    .update({ TakenTime: null, Attempts, DueTime: dialect.nowPlus(knex, secondsAfter(Attempts)) });
}

/**
 * Counts an attempt of a mail whose claim was rolled back, unless another server has claimed the mail since then. If it
 * cannot be retried, no server sends it any more.
 */
export async function postponeMail(
  { knex, dialect }: Database,
  { Id, Attempts: earlier }: Pick<TakenMail, 'Id' | 'Attempts'>,
  canRetry: boolean,
): Promise<void> {
  const Attempts = earlier + 1;
  await knex('ApprovalMails')
    .where({ Id, Attempts: earlier })
    .whereNull('TakenTime')
    .update(
      canRetry
        ? { Attempts, DueTime: dialect.nowPlus(knex, secondsAfter(Attempts)) }
        : { Attempts, TakenTime: dialect.now(knex) },
    );
}

export async function deleteOldMails({ knex, dialect }: Database, maxAgeSeconds: number): Promise<void> {
  await knex('ApprovalMails')
    .whereNull('TakenTime')
    .where('DueTime', '<', dialect.nowPlus(knex, -maxAgeSeconds))
    .delete();
}

/** Returns undefined if the user cannot sign in or has no address. */
export async function findRecipient(
  db: Db,
  UserId: number,
): Promise<{ Email: string; FirstName: string; Language: Language | null } | undefined> {
  return db('Users')
    .where({ UserId, Enabled: true })
    .whereNull('DeletedTime')
    .whereNot('Email', '')
    .first('Email', 'FirstName', 'Language');
}
