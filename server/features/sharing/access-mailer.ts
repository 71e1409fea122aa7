/** Queues the mails about access. They are delivered like those of alerts, with retries. */
import { insertDeliveries } from '#server/automation/deliveries/delivery-rows.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { existingUsers } from '#server/access/user-queries.ts';
import type { NotificationChoicesService } from '#server/features/alerts/notification-choices-service.ts';
import type { Language } from '#shared/contract/auth.ts';
import { accessMail, type AccessMail } from './access-mails.ts';

export interface AccessMailer {
  /** Writes one mail for each person who has an address. `path` is the page that it links to, within the portal. */
  queue(
    db: Db,
    userIds: readonly number[],
    about: Omit<AccessMail, 'firstName' | 'language' | 'title' | 'link'> & { path: string },
  ): Promise<void>;
  /** Sends queued mails soon. Call it after the transaction. */
  kick(): void;
}

export interface AccessMailerDeps {
  /** False if no mail server is configured: nothing is queued. */
  canMail: boolean;
  /** Name of the installation. */
  title: string;
  /** Public URL of the portal, ending with a slash; null if none is configured. */
  address: string | null;
  /** Returns those of the users who want mails of a kind. */
  mailed: NotificationChoicesService['mailed'];
  kick: () => void;
}

/** Maximum number of people who are mailed about one event. */
export const MAX_MAILS = 500;

export function createAccessMailer({ canMail, title, address, mailed, kick }: AccessMailerDeps): AccessMailer {
  return {
    kick,
    queue: async (db, userIds, { path, ...about }) => {
      if (!canMail || userIds.length === 0) return;
      const wanted = await mailed(db, userIds.slice(0, MAX_MAILS), about.kind === 'Requested' ? 'Requests' : 'Shares');
      const link = address === null ? null : `${address}${path}`;
      const recipients = (await existingUsers(db)
        .whereIn('UserId', wanted)
        .where('Enabled', true)
        .whereNot('Email', '')
        .select('UserId', 'FirstName', 'Language')) as {
        UserId: number;
        FirstName: string;
        Language: Language | null;
      }[];
      const deliveries = recipients.map(({ UserId, FirstName, Language }) => ({
        Channel: 'Mail' as const,
        Event: `access${about.kind}`,
        SubjectId: null,
        UserId,
        TargetKey: 'mail',
        Body: JSON.stringify(accessMail({ ...about, firstName: FirstName, language: Language, title, link })),
      }));
      await insertDeliveries(db, deliveries);
    },
  };
}
