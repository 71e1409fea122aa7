/**
 * Sends the mails about approvals. A server claims each mail permanently before it sends it: a crash loses at most one
 * mail and never sends one twice. A mail is retried only if the mail server certainly did not accept it. Each mail is
 * composed in the transaction that claims it, so a database error until then leaves it unclaimed.
 */
import type { Knex } from 'knex';
import { createPoller } from '#server/background/poller.ts';
import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { ALWAYS, type WorkProbe, type Question } from '#server/db/work-probes.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { singleAddress } from '#server/mail/mail-addresses.ts';
import { MailError } from '#server/mail/mail-error.ts';
import { mailWords } from '#server/mail/mail-language.ts';
import type { Mail, MailSender } from '#server/mail/mail-sender.ts';
import type { NotificationChoicesService } from '#server/features/alerts/notification-choices-service.ts';
import { mayDecide } from '#server/workflows/approvals/approvers.ts';
import { approvalMail } from './approval-mail-texts.ts';
import {
  deleteOldMails,
  dueMails,
  findRecipient,
  postponeMail,
  putBackMail,
  takeMails,
  type TakenMail,
} from './approval-mails-repository.ts';
import { findApprovalItem, listDecisions } from './approvals-repository.ts';

export interface ApprovalMailer {
  /** Sends all mails that are due. */
  sendDue(signal?: AbortSignal): Promise<void>;
  /** Starts polling and returns a function that stops it. */
  start(hasPendingWork?: WorkProbe, intervalMs?: number): () => Promise<void>;
}

export interface ApprovalMailerDeps {
  database: Database;
  mail: MailSender;
  log: Log;
  /** Name of the installation. */
  title: string;
  /** Public URL of the portal, ending with a slash; null if none is configured. */
  address: string | null;
  /** Time zone of times in mails. */
  timeZone: string;
  /** Returns those of the users who want mails of a kind. */
  mailed: NotificationChoicesService['mailed'];
}

const INTERVAL_MS = 5_000;
const MAX_ATTEMPTS = 5;
/** A mail that could not be sent within a day is outdated and is deleted. */
const MAX_MAIL_AGE_SECONDS = 86_400;
/** Errors after which the mail has certainly not been sent. */
const BEFORE_THE_MAIL = ['connection', 'signIn'];

/** Work probe: returns rows if any mail is due. */
export const waitingMails: Question = (database) => [dueMails(database.knex('ApprovalMails'), database)];

export function createApprovalMailer(deps: ApprovalMailerDeps): ApprovalMailer {
  const { database, mail } = deps;
  /** Attempts of the claimed mails that were not sent and are to be retried, by id. */
  const unsent = new Map<number, number>();

  async function sendDue(signal?: AbortSignal): Promise<void> {
    await deleteOldMails(database, MAX_MAIL_AGE_SECONDS);
    if (!mail.isConfigured) return;
    for (;;) {
      // If a mail cannot be put back because of a database error, the next poll puts it back.
      for (const [id, attempts] of unsent) {
        await putBackMail(database, id, attempts);
        unsent.delete(id);
      }
      if (signal?.aborted) return;
      // One at a time, so that a killed server loses at most one mail.
      const taken = await takeNext(deps);
      if (!taken) return;
      const attempts = await send(deps, taken);
      if (attempts !== null) unsent.set(taken.Id, attempts);
    }
  }

  return {
    sendDue,
    start: (hasPendingWork = ALWAYS, intervalMs = INTERVAL_MS) => {
      const poller = createPoller({
        poll: sendDue,
        intervalMs,
        hasPendingWork: async () => unsent.size > 0 || hasPendingWork(),
        onError: (err) => deps.log.warn({ err }, 'could not send mails about approvals'),
      });
      poller.start();
      poller.request();
      return () => poller.stop();
    },
  };
}

/** A claimed mail; `made` is null if it is not needed any more or could not be composed. */
interface ComposedMail extends TakenMail {
  composed: Mail | null;
}

/** Claims and composes the next mail. A mail that cannot be composed is postponed. Returns undefined if none is due. */
async function takeNext(deps: ApprovalMailerDeps): Promise<ComposedMail | undefined> {
  const { database } = deps;
  let taken: TakenMail | undefined;
  try {
    return await inTransaction(database.knex, async (trx) => {
      [taken] = await takeMails({ knex: trx, dialect: database.dialect }, 1);
      return taken && { ...taken, composed: await compose(trx, deps, taken) };
    });
  } catch (err) {
    if (!taken) throw err;
    const attempts = logFailure(deps, taken, err);
    await postponeMail(database, taken, attempts < MAX_ATTEMPTS);
    return { ...taken, composed: null };
  }
}

/** Returns the number of attempts if the mail must be put back for another one, otherwise null. */
async function send(deps: ApprovalMailerDeps, { composed, ...taken }: ComposedMail): Promise<number | null> {
  try {
    if (composed) await deps.mail.send(composed);
    return null;
  } catch (err) {
    const attempts = logFailure(deps, taken, err);
    const canRetry = err instanceof MailError && BEFORE_THE_MAIL.includes(err.fault);
    return canRetry && attempts < MAX_ATTEMPTS ? attempts : null;
  }
}

/** Returns the number of attempts including the failed one. */
function logFailure({ log }: ApprovalMailerDeps, { ApprovalId, Attempts }: TakenMail, err: unknown): number {
  const attempts = Attempts + 1;
  log.warn({ err, approval: ApprovalId, attempts }, 'could not send a mail about an approval');
  return attempts;
}

/** Returns null if the recipient has no address, or if there is nothing left for them to decide. */
async function compose(
  trx: Knex.Transaction,
  { title, address, timeZone, mailed }: ApprovalMailerDeps,
  { ApprovalId, UserId, Kind, Id }: TakenMail,
): Promise<Mail | null> {
  const [approval, recipient] = [await findApprovalItem(trx, ApprovalId), await findRecipient(trx, UserId)];
  const to = recipient && singleAddress(recipient.Email);
  if (!approval || !to || (await mailed(trx, [UserId], 'Approvals')).length === 0) return null;
  const isAsked = Kind !== 'Ended';
  if (isAsked && (approval.Status !== 'Open' || !(await mayDecide(trx, ApprovalId, UserId)))) return null;
  const decisions = (await listDecisions(trx, [ApprovalId])).get(ApprovalId) ?? [];
  const link = address === null ? null : `${address}approvals/${ApprovalId}`;
  const text = approvalMail(Kind, {
    approval,
    decisions,
    firstName: recipient.FirstName,
    title,
    link,
    words: mailWords(recipient.Language),
    timeZone,
  });
  // The Message-ID is unique per mail, so that a mail server can drop a duplicate.
  const messageId = `approval-${ApprovalId}-${Id}@${to.address.split('@')[1] ?? 'localhost'}`;
  return { to: [to], ...text, messageId };
}
