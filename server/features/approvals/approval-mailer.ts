/**
 * Sends the mails about approvals. Each is taken for good before it is sent: a server that dies meanwhile loses one, but sends none twice. Only what
 * the mail server has certainly not taken is tried again.
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
  /** Sends what is due. */
  sendDue(signal?: AbortSignal): Promise<void>;
  /** Looks again and again; answers how to stop it. */
  start(mayBeDue?: MayBe, intervalMs?: number): () => Promise<void>;
}

export interface ApprovalMailerDeps {
  database: Database;
  mail: MailSender;
  log: Log;
  /** Name of the installation. */
  title: string;
  /** Address of the portal, ending with a slash; null where none is configured. */
  address: string | null;
  /** Of the times in mails. */
  timeZone: string;
}

const INTERVAL_MS = 5_000;
const MOST_ATTEMPTS = 5;
/** What could not be sent for a day is no news any more. */
const KEPT_SECONDS = 86_400;
/** Faults after which the mail has certainly not been sent. */
const BEFORE_THE_MAIL = ['connection', 'signIn'];

/** Whether there is any to be sent. */
export const waitingMails: Question = (database) => [dueMails(database.knex('ApprovalMails'), database)];

export function createApprovalMailer(deps: ApprovalMailerDeps): ApprovalMailer {
  const { database, mail, log } = deps;

  async function sendDue(signal?: AbortSignal): Promise<void> {
    await deleteOldMails(database, KEPT_SECONDS);
    if (!mail.isConfigured) return;
    for (;;) {
      if (signal?.aborted) return;
      // One at a time: it is all that a server can lose that is killed.
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

/** Null where there is nobody to write to, or nothing to ask them for any more. */
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
  // Told apart by its number, so that a mail server that got it twice could drop one.
  const messageId = `approval-${ApprovalId}-${Id}@${to.address.split('@')[1] ?? 'localhost'}`;
  return { to: [to], ...text, messageId };
}
