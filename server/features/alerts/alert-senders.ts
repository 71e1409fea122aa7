import type { Database } from '#server/db/database.ts';
import type { SendDelivery } from '#server/automation/deliveries/delivery-engine.ts';
import { postJson } from '#server/automation/deliveries/post-json.ts';
import { singleAddress } from '#server/mail/mail-addresses.ts';
import { MailError, type MailFault } from '#server/mail/mail-error.ts';
import type { MailSender } from '#server/mail/mail-sender.ts';
import type { AlertWebhooks } from './alert-webhooks.ts';
import { findEmail } from './notification-settings-repository.ts';

const SEND_LIMIT_MS = 10_000;
/** Must be shorter than a server's lease on a delivery. */
const MAIL_LIMIT_MS = 40_000;
/** Errors that would also occur on the next attempt. */
const FINAL: MailFault[] = ['refused', 'recipients', 'notConfigured'];

const failed = (Error: string, isFinal: boolean) => ({ StatusCode: null, Error, Answer: '', isFinal });

export function createChannelSender(webhooks: AlertWebhooks, allowed: readonly string[]): SendDelivery {
  return async ({ EncryptedTarget, Body }, signal) => {
    const target = EncryptedTarget === null ? null : webhooks.decryptOne(EncryptedTarget);
    if (!target) return failed('Its address cannot be read: the key of this server has changed', true);
    return postJson(target.Url, Body, { allowed, timeLimit: SEND_LIMIT_MS, signal });
  };
}

/** Uses the same Message-ID in every attempt, so that a mail server can drop duplicates. */
export function createMailDelivery({ knex }: Pick<Database, 'knex'>, mail: MailSender): SendDelivery {
  return async ({ UserId, DeliveryKey, Body }, signal) => {
    const recipient = UserId === null ? undefined : await findEmail(knex, UserId);
    const to = recipient && singleAddress(recipient.Email);
    if (!to) return failed('The user has no email address, or can no longer sign in', true);
    const { subject, text } = JSON.parse(Body) as { subject: string; text: string };
    const messageId = `${DeliveryKey}@${to.address.split('@')[1] ?? 'localhost'}`;
    const late = AbortSignal.timeout(MAIL_LIMIT_MS);
    try {
      await mail.send({ to: [to], subject, text, messageId }, AbortSignal.any([late, signal]));
      return { StatusCode: null, Error: null, Answer: '' };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof MailError) return failed(error.message, FINAL.includes(error.fault));
      return failed('The mail server did not respond in time', false);
    }
  };
}
