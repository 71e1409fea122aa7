/** What the mails about approvals say. Plain text: what people wrote is never read as markup; values stay in the portal. */
import { fullName } from '#server/base/full-name.ts';
import type { Mail } from '#server/mail/mail-sender.ts';
import type { ApprovalMailKind } from './approval-mails-repository.ts';
import type { ApprovalItemRow, DecisionRow } from './approvals-repository.ts';

export interface AboutApproval {
  approval: ApprovalItemRow;
  decisions: readonly DecisionRow[];
  firstName: string;
  /** Name of the installation. */
  title: string;
  /** Null where the address of the portal is not known. */
  link: string | null;
}

const SUBJECT_MAX = 150;

export function approvalMail(kind: ApprovalMailKind, about: AboutApproval): Pick<Mail, 'subject' | 'text'> {
  const { approval, firstName, title, link } = about;
  const name = oneLine(`${approval.ChecklistName}: ${approval.Name}`);
  const where = link ?? `Look for it under Approvals in ${title}.`;
  const { word, text } = kind === 'Ended' ? ended(about) : asked(kind, about);
  return {
    subject: oneLine(`${title}: ${word}: ${name}`).slice(0, SUBJECT_MAX),
    text: `Hello ${firstName},\n\n${text}\n\n${where}\n`,
  };
}

function asked(kind: 'Begun' | 'Reminder', { approval }: AboutApproval): { word: string; text: string } {
  const { Name, ChecklistName, ExpiryTime, OnExpiry, Text } = approval;
  const isReminder = kind === 'Reminder';
  const begin = `"${oneLine(Name)}" of ${oneLine(ChecklistName)}, started by ${fullName(approval)}, ${
    isReminder ? 'still waits' : 'waits'
  } for your approval${ExpiryTime === null ? '' : ` until ${utc(ExpiryTime)}`}.`;
  const then = OnExpiry === 'Approve' ? 'it counts as approved' : 'it fails';
  const expiry = ExpiryTime === null ? '' : ` If not enough people have decided by then, ${then}.`;
  return { word: isReminder ? 'approval still needed' : 'approval needed', text: `${begin}${expiry}\n\n${Text}` };
}

const ENDED = {
  Approved: 'approved',
  Rejected: 'rejected',
  Expired: 'expired',
  NoApprovers: 'failed',
  Cancelled: 'cancelled',
  Open: 'open',
} as const;

function ended({ approval, decisions }: AboutApproval): { word: string; text: string } {
  const { Name, ChecklistName, Status, OnExpiry } = approval;
  const word = ENDED[Status];
  const isGiven = Status === 'Expired' && OnExpiry === 'Approve';
  const lines = decisions.map((made) => {
    const said = made.Comment === '' ? '' : `: ${made.Comment}`;
    return `${made.Approved ? 'Approved' : 'Rejected'} by ${fullName(made)}${said}`;
  });
  const verb = Status === 'Expired' || Status === 'NoApprovers' ? 'has' : 'was';
  const text = `"${oneLine(Name)}" of ${oneLine(ChecklistName)}, which you started, ${verb} ${word}`;
  const why = Status === 'NoApprovers' ? ': too few people are left who can approve.' : '.';
  const then = isGiven ? ', and counts as approved.' : why;
  return { word, text: [`${text}${then}`, ...lines].join('\n') };
}

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

/** Nobody knows the time zone of a mail's reader. */
const utc = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
