/** Queries for events that webhooks have not received yet. */
import type { Knex } from 'knex';
import { whereNotBatchRun } from '#server/queue/batch-runs.ts';
import { WEBHOOK_EVENTS, type WebhookEventField } from '#shared/contract/webhooks.ts';
import type { AskedApproval, EndedRun, PublishedVersion } from './webhook-bodies.ts';

/** See sinceCursor. */
interface EventSpan {
  since: Date;
  now: Date;
}

export type ForWebhook<T> = T & { WebhookId: number; SubjectId: number };

export async function hasWebhooks(db: Knex): Promise<boolean> {
  return (await db('Webhooks').where('IsActive', true).first('Id')) !== undefined;
}

/**
 * Restricts a query to events that are not delivered yet, with one row per webhook that wants them and existed when
 * they happened.
 * @param subject SQL of the id that identifies the event in a delivery
 */
function unpublished(
  db: Knex,
  query: Knex.QueryBuilder,
  { field, time, subject, span }: { field: WebhookEventField; time: string; subject: Knex.Raw; span: EventSpan },
): Knex.QueryBuilder {
  const published = db('Deliveries as D')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['D.WebhookId', 'W.Id'])
    .where('D.Event', WEBHOOK_EVENTS[field])
    .whereRaw('?? = ?', ['D.SubjectId', subject]);
  return query
    .join('Webhooks as W', (on) => void on.on(db.raw('?? > ??', [time, 'W.CreateTime'])))
    .where('W.IsActive', true)
    .where(`W.${field}`, true)
    .where(time, '>', span.since)
    .where(time, '<=', span.now)
    .whereNotExists(published)
    .orderBy(time);
}

/**
 * Restricts events to the activities that each webhook has chosen; a webhook without a choice gets all.
 * @param among restricts the chosen activities F to that of the event
 */
function ofActivities(
  db: Knex,
  query: Knex.QueryBuilder,
  among: (chosen: Knex.QueryBuilder) => void,
): Knex.QueryBuilder {
  const chosen = db('WebhookActivities as F').select(db.raw('1')).whereRaw('?? = ??', ['F.WebhookId', 'W.Id']);
  const fits = chosen.clone();
  among(fits);
  return query.where((either) => void either.whereNotExists(chosen).orWhereExists(fits));
}

export async function unpublishedRuns(db: Knex, span: EventSpan, limit: number): Promise<ForWebhook<EndedRun>[]> {
  const runs = db('ActivityRuns as R')
    .join('Activities as A', 'A.Id', 'R.ActivityId')
    .join('Users as U', 'U.UserId', 'R.UserId');
  const subject = db.raw('??', ['R.Id']);
  const query = unpublished(db, runs, { field: 'OnRunEnded', time: 'R.EndTime', subject, span });
  whereNotBatchRun(db, query, 'R.Id');
  return ofActivities(db, query, (fits) => void fits.whereRaw('?? = ??', ['F.ActivityId', 'R.ActivityId']))
    .limit(limit)
    .select<ForWebhook<EndedRun>[]>(
      'W.Id as WebhookId',
      'R.Id as SubjectId',
      'R.Id',
      'R.ActivityId',
      'A.Name as ActivityName',
      'R.ActivityVersion',
      'R.Status',
      'R.UserId',
      'U.UserName',
      'R.QueueTime',
      'R.StartTime',
      'R.EndTime',
      'R.ChecklistRunId',
    );
}

/** Maximum number of versions per activity that the id in a delivery can distinguish. */
const VERSIONS_OF_ONE = 1_000_000;

export async function unpublishedVersions(
  db: Knex,
  span: EventSpan,
  limit: number,
): Promise<ForWebhook<PublishedVersion>[]> {
  const versions = db('ActivityVersions as V')
    .join('Activities as A', 'A.Id', 'V.ActivityId')
    .join('Users as U', 'U.UserId', 'V.UserId');
  const subject = db.raw('cast(?? as bigint) * ? + ??', ['V.ActivityId', db.raw(String(VERSIONS_OF_ONE)), 'V.Version']);
  const query = unpublished(db, versions, { field: 'OnVersionPublished', time: 'V.Modified', subject, span });
  const rows = await ofActivities(db, query, (fits) => void fits.whereRaw('?? = ??', ['F.ActivityId', 'V.ActivityId']))
    .limit(limit)
    .select<Omit<ForWebhook<PublishedVersion>, 'SubjectId'>[]>(
      'W.Id as WebhookId',
      'V.ActivityId',
      'A.Name as ActivityName',
      'V.Version',
      'V.UserId',
      'U.UserName',
      'V.Modified',
      'V.ChangeDescription',
    );
  return rows.map((row) => ({ ...row, SubjectId: row.ActivityId * VERSIONS_OF_ONE + row.Version }));
}

export async function unpublishedApprovals(
  db: Knex,
  span: EventSpan,
  limit: number,
): Promise<ForWebhook<AskedApproval>[]> {
  const approvals = db('Approvals as P')
    .join('ChecklistRuns as R', 'R.Id', 'P.ChecklistRunId')
    .join('Checklists as C', 'C.Id', 'R.ChecklistId')
    .join('Users as U', 'U.UserId', 'P.StarterId');
  const subject = db.raw('??', ['P.Id']);
  const query = unpublished(db, approvals, { field: 'OnApprovalAsked', time: 'P.StartTime', subject, span });
  const among = (fits: Knex.QueryBuilder): void =>
    void fits
      .join('ChecklistActivities as M', 'M.ActivityId', 'F.ActivityId')
      .whereRaw('?? = ??', ['M.ChecklistId', 'C.Id']);
  return ofActivities(db, query, among)
    .limit(limit)
    .select<ForWebhook<AskedApproval>[]>(
      'W.Id as WebhookId',
      'P.Id as SubjectId',
      'P.Id',
      'P.Name',
      'P.ChecklistRunId',
      'R.ChecklistId',
      'C.Name as ChecklistName',
      'P.StarterId',
      'U.UserName as StarterName',
      'P.StartTime',
      'P.ExpiryTime',
    );
}
