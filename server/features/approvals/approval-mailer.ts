/**
 * Sends the mails about approvals. A server claims each mail permanently before it sends it: a crash loses at most one
 * mail and never sends one twice. A mail is retried only if the mail server certainly did not accept it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { ALWAYS, type MayBe, type Question } from '#server/db/lookout.ts';
import { singleAddress } from '#server/mail/mail-addresses.ts';
import { MailError } from '#server/mail/mail-error.ts';
import { mailWords } from '#server/mail/mail-language.ts';
import type { Mail, MailSender } from '#server/mail/mail-sender.ts';
import { mayDecide } from '#server/jobs/approvals/approvers.ts';
import { approvalMail } from './approval-mail-texts.ts';
import {
  deleteOldMails,
  dueMails,
  findRecipient,
  putBackMail,
  takeMails,
  type TakenMail,
} from './approval-mails-repository.ts';
import { findApprovalItem, listDecisions } from './approvals-repository.ts';

export interface ApprovalMailer {
  /** Sends all mails that are due. */
  sendDue(signal?: AbortSignal): Promise<void>;
  /** Starts polling and returns a function that stops it. */
  start(mayBeDue?: MayBe, intervalMs?: number): () => Promise<void>;
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
}

const INTERVAL_MS = 5_000;
const MOST_ATTEMPTS = 5;
/** A mail that could not be sent within a day is outdated and is deleted. */
const KEPT_SECONDS = 86_400;
/** Errors after which the mail has certainly not been sent. */
const BEFORE_THE_MAIL = ['connection', 'signIn'];

/** Work probe: returns rows if any mail is due. */
export const waitingMails: Question = (database) => [dueMails(database.knex('ApprovalMails'), database)];

export function createApprovalMailer(deps: ApprovalMailerDeps): ApprovalMailer {
  const { database, mail, log } = deps;

  async function sendDue(signal?: AbortSignal): Promise<void> {
    await deleteOldMails(database, KEPT_SECONDS);
    if (!mail.isConfigured) return;
    for (;;) {
      if (signal?.aborted) return;
      // One at a time, so that a killed server loses at most one mail.
      const [taken] = await takeMails(database, 1);
      if (!taken) return;
      await send(deps, taken);
    }
  }

  return {
    sendDue,
    start: (mayBeDue = ALWAYS, intervalMs = INTERVAL_MS) => {
      const stopping = new AbortController();
      const { signal } = stopping;
      const look = async (): Promise<void> => {
        if (await mayBeDue()) await sendDue(signal);
      };
      const working = (async () => {
        while (!signal.aborted) {
          await look().catch((err: unknown) => log.warn({ err }, 'mails about approvals could not be sent'));
          await pause(intervalMs, undefined, { signal }).catch(() => undefined);
        }
      })();
      return async () => {
        stopping.abort();
        await working;
      };
    },
  };
}

async function send(deps: ApprovalMailerDeps, taken: TakenMail): Promise<void> {
  const { database, mail, log } = deps;
  try {
    const made = await compose(deps, taken);
    if (made) await mail.send(made);
  } catch (err) {
    const canRetry = err instanceof MailError && BEFORE_THE_MAIL.includes(err.fault);
    const Attempts = taken.Attempts + 1;
    log.warn({ err, approval: taken.ApprovalId, attempts: Attempts }, 'a mail about an approval could not be sent');
    if (canRetry && Attempts < MOST_ATTEMPTS) await putBackMail(database, taken.Id, Attempts);
  }
}

/** Returns null if the recipient has no address, or if there is nothing left for them to decide. */
async function compose(
  { database: { knex }, title, address, timeZone }: ApprovalMailerDeps,
  { ApprovalId, UserId, Kind, Id }: TakenMail,
): Promise<Mail | null> {
  const [approval, recipient] = [await findApprovalItem(knex, ApprovalId), await findRecipient(knex, UserId)];
  const to = recipient && singleAddress(recipient.Email);
  if (!approval || !to) return null;
  const isAsked = Kind !== 'Ended';
  if (isAsked && (approval.Status !== 'Open' || !(await mayDecide(knex, ApprovalId, UserId)))) return null;
  const decisions = (await listDecisions(knex, [ApprovalId])).get(ApprovalId) ?? [];
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
