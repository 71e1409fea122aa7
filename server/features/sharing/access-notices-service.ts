/**
 * Access in the notification bell: requests that the person may decide, their own requests that were granted, and
 * activities that others shared with them.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import { NOTIFICATION_COUNT_MAX, type AccessNotification } from '#shared/contract/notifications.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { deleteNotice, listNotices, type NoticeRow } from './access-notices-repository.ts';
import { countRequests, listRequests, type RequestRow } from './access-requests-repository.ts';
import type { SharingAccess } from '#server/access/sharing-access.ts';
import { shownName } from './shown-name.ts';

/** Maximum number of each kind that the bell lists. */
const MAX_PER_KIND = 20;

/** What the person wants to be notified of. */
export interface NoticeKinds {
  shares: boolean;
  requests: boolean;
}

const ALL_KINDS: NoticeKinds = { shares: true, requests: true };

export interface AccessNotices {
  /** Returns the newest notifications, and their total number up to the maximum that the bell counts. */
  list(person: Person, kinds?: NoticeKinds): Promise<{ items: AccessNotification[]; count: number }>;
  /** Throws an AppError 404 if the person has no such notice. */
  dismiss(person: Person, noticeId: number): Promise<void>;
}

export function createAccessNotices(
  { knex }: Pick<Database, 'knex'>,
  { sharing, access }: { sharing: Pick<SharingAccess, 'scope'>; access: Pick<ActivityAccess, 'scopes'> },
): AccessNotices {
  return {
    list: async (person, { shares, requests: hasRequests } = ALL_KINDS) => {
      if (person.keyScope !== undefined) return { items: [], count: 0 };
      const decider = { userId: person.UserId, scope: await sharing.scope(person) };
      const page = { before: null, limit: MAX_PER_KIND };
      const requests = hasRequests ? await listRequests(knex, decider, page) : [];
      const isCut = requests.length === MAX_PER_KIND;
      const scopes = await access.scopes(person);
      // The access may have been taken back since.
      const stored = shares ? await listNotices(knex, person.UserId, MAX_PER_KIND) : [];
      const notices = stored.filter(({ ActivityId: Id, Schema }) =>
        [scopes.run, scopes.edit].some((scope) => isInScope(scope, { Id, Schema })),
      );
      const waiting = isCut ? await countRequests(knex, decider, NOTIFICATION_COUNT_MAX) : requests.length;
      return {
        items: [...requests.map(requestNotice), ...notices.map(noticeOf)],
        count: waiting + notices.length,
      };
    },
    dismiss: async (person, noticeId) => {
      if (await deleteNotice(knex, noticeId, person.UserId)) return;
      throw new AppError('notificationNotFound', 404, 'There is no such notification');
    },
  };
}

const requestNotice = (row: RequestRow): AccessNotification => ({
  Kind: 'Requested',
  Id: row.Id,
  ActivityId: row.ActivityId,
  ActivityRunId: row.ObjectKind === 'Run' ? row.ObjectId : null,
  Name: row.ActivityName,
  Message: `${shownName(row)} asks for access`,
  Note: row.Message,
  Category: LogCategory.Information,
  Time: row.CreateTime.toISOString(),
});

const noticeOf = ({
  Kind,
  Id,
  ActivityId,
  ActivityRunId,
  Name,
  ByName,
  Message,
  CreateTime,
}: NoticeRow): AccessNotification => ({
  Kind,
  Id,
  ActivityId,
  ActivityRunId,
  Name,
  Message: Kind === 'Granted' ? `${ByName} gave you access` : `${ByName} shared this with you`,
  Note: Message,
  Category: LogCategory.Information,
  Time: CreateTime.toISOString(),
});
