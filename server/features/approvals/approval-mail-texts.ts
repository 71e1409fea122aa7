/**
 * Texts of the mails about approvals. The mails are plain text, so text written by users is never interpreted as
 * markup. The values to approve are not included; they stay in the portal.
 */
import { fullName } from '#server/base/full-name.ts';
import type { MailWords } from '#server/mail/mail-language.ts';
import type { Mail } from '#server/mail/mail-sender.ts';
import type { ApprovalMailKind } from './approval-mails-repository.ts';
import type { ApprovalItemRow, DecisionRow } from './approvals-repository.ts';

export interface AboutApproval {
  approval: ApprovalItemRow;
  decisions: readonly DecisionRow[];
  firstName: string;
  /** Name of the installation. */
  title: string;
  /** Null if the portal's address is not configured. */
  link: string | null;
  /** In the recipient's language. */
  words: MailWords;
  /** Time zone of times in mails. */
  timeZone: string;
}

const SUBJECT_MAX = 150;

export function approvalMail(kind: ApprovalMailKind, about: AboutApproval): Pick<Mail, 'subject' | 'text'> {
  const { approval, firstName, title, link, words } = about;
  const name = oneLine(`${approval.ChecklistName}: ${approval.Name}`);
  const where = link ?? words.text('Look for it under Approvals in {title}.', { title });
  const { word, text } = kind === 'Ended' ? ended(about) : asked(kind, about);
  return {
    subject: oneLine(`${title}: ${words.text(word)}: ${name}`).slice(0, SUBJECT_MAX),
    text: `${words.text('Hello {name},', { name: firstName })}\n\n${text}\n\n${where}\n`,
  };
}

const WAITS = '"{step}" of {workflow}, started by {starter}, waits for your approval';
const STILL_WAITS = '"{step}" of {workflow}, started by {starter}, still waits for your approval';

function asked(
  kind: 'Begun' | 'Reminder',
  { approval, words, timeZone }: AboutApproval,
): { word: string; text: string } {
  const { Name, ChecklistName, ExpiryTime, OnExpiry, Text } = approval;
  const isReminder = kind === 'Reminder';
  const waits = isReminder ? STILL_WAITS : WAITS;
  const named = { step: oneLine(Name), workflow: oneLine(ChecklistName), starter: fullName(approval) };
  const begin =
    ExpiryTime === null
      ? words.text(`${waits}.`, named)
      : words.text(`${waits} until {time}.`, { ...named, time: words.time(ExpiryTime, timeZone) });
  const expiry =
    OnExpiry === 'Approve'
      ? 'If not enough people have decided by then, it counts as approved.'
      : 'If not enough people have decided by then, it fails.';
  const text = [begin, ...(ExpiryTime === null ? [] : [words.text(expiry)])].join(' ');
  return { word: isReminder ? 'approval still needed' : 'approval needed', text: `${text}\n\n${Text}` };
}

const ENDED = {
  Approved: 'approved',
  Rejected: 'rejected',
  Expired: 'expired',
  NoApprovers: 'failed',
  Cancelled: 'cancelled',
  Open: 'open',
} as const;

const OF_YOURS = '"{step}" of {workflow}, which you started,';
const ENDED_TEXT = {
  Approved: `${OF_YOURS} was approved.`,
  Rejected: `${OF_YOURS} was rejected.`,
  Expired: `${OF_YOURS} has expired.`,
  NoApprovers: `${OF_YOURS} has failed: too few people are left who can approve.`,
  Cancelled: `${OF_YOURS} was cancelled.`,
  Open: `${OF_YOURS} was open.`,
} as const;

function ended({ approval, decisions, words, timeZone }: AboutApproval): { word: string; text: string } {
  const { Name, ChecklistName, Status, OnExpiry, EndTime } = approval;
  const isApprovedByExpiry = Status === 'Expired' && OnExpiry === 'Approve';
  const what = isApprovedByExpiry ? `${OF_YOURS} has expired, and counts as approved.` : ENDED_TEXT[Status];
  const lines = decisions.map((decision) => {
    const by = decision.Approved ? 'Approved by {name}' : 'Rejected by {name}';
    const values = { name: fullName(decision), comment: decision.Comment };
    return words.text(decision.Comment === '' ? by : `${by}: {comment}`, values);
  });
  const text = [words.text(what, { step: oneLine(Name), workflow: oneLine(ChecklistName) }), ...lines];
  if (EndTime !== null) text.push(words.text('Ended: {time}', { time: words.time(EndTime, timeZone) }));
  return { word: ENDED[Status], text: text.join('\n') };
}

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
