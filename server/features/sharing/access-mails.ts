/**
 * Texts of the mails about access, in the language of the recipient. The mails are plain text, so text written by users
 * is never interpreted as markup.
 */
import { mailWords, type MailWords } from '#server/mail/mail-language.ts';
import type { Mail } from '#server/mail/mail-sender.ts';
import type { Language } from '#shared/contract/auth.ts';

export interface AccessMail {
  kind: 'Requested' | 'Granted' | 'Shared';
  /** The recipient. */
  firstName: string;
  language: Language | null;
  /** Full name of the person who asked, granted or shared. */
  by: string;
  /** Name of the activity. */
  name: string;
  /** What the person wrote; '' for nothing. */
  message: string;
  /** Name of the installation. */
  title: string;
  /** Null if the portal's address is not configured. */
  link: string | null;
}

const SUBJECT_MAX = 150;
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const HEADS = {
  Requested: '{person} asks for access to {name}',
  Granted: 'You now have access to {name}',
  Shared: '{person} shared {name} with you',
} as const;

export function accessMail(mail: AccessMail): Pick<Mail, 'subject' | 'text'> {
  const { kind, firstName, by, name, message, title, link } = mail;
  const words: MailWords = mailWords(mail.language);
  const head = words.text(HEADS[kind], { person: oneLine(by), name: oneLine(name) });
  const said =
    message.trim() === '' ? [] : [`${words.text('{person} writes:', { person: oneLine(by) })}\n${message.trim()}`];
  const where = link ?? words.text('Look for it in {title}.', { title });
  const parts = [words.text('Hello {name},', { name: firstName }), `${head}.`, ...said, where];
  return { subject: oneLine(`${title}: ${head}`).slice(0, SUBJECT_MAX), text: `${parts.join('\n\n')}\n` };
}
