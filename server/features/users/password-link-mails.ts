/**
 * Texts of the mails with password links, in the language of the recipient. The mails are plain text, so names are
 * never interpreted as markup.
 */
import { mailWords } from '#server/mail/mail-language.ts';
import type { Mail } from '#server/mail/mail-sender.ts';
import type { Language } from '#shared/contract/auth.ts';

interface LinkMail {
  UserName: string;
  FirstName: string;
  /** Of the recipient; null if they have not chosen one. */
  Language: Language | null;
  /** Name of the installation. */
  title: string;
  link: string;
}

type Texts = Pick<Mail, 'subject' | 'text'>;

export function resetMail({ UserName, FirstName, Language, title, link }: LinkMail): Texts {
  const words = mailWords(Language);
  const values = { title, userName: UserName };
  return {
    subject: words.text('{title}: reset your password', values),
    text: lines(
      words.text('Hello {name},', { name: FirstName }),
      words.text(
        'someone requested a new password for the user {userName} of {title}. To choose one, open this link within an hour. It works once:',
        values,
      ),
      link,
      words.text('If you did not request it, ignore this email: your password does not change.'),
    ),
  };
}

export function firstPasswordMail({ UserName, FirstName, Language, title, link }: LinkMail): Texts {
  const words = mailWords(Language);
  const values = { title, userName: UserName };
  return {
    subject: words.text('{title}: set your password', values),
    text: lines(
      words.text('Hello {name},', { name: FirstName }),
      words.text(
        'you are now a user of {title}, with the user name {userName}. To choose your password, open this link within a day. It works once:',
        values,
      ),
      link,
      words.text('If the link has expired, get another one with “Reset password” on the sign-in page.'),
    ),
  };
}

const lines = (...parts: string[]): string => `${parts.join('\n\n')}\n`;
