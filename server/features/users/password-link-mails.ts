/** Texts of the mails with password links. The mails are plain text, so names are never interpreted as markup. */
import type { Mail } from '#server/mail/mail-sender.ts';

interface LinkMail {
  UserName: string;
  FirstName: string;
  /** Name of the installation. */
  title: string;
  link: string;
}

export function resetMail({ UserName, FirstName, title, link }: LinkMail): Pick<Mail, 'subject' | 'text'> {
  return {
    subject: `${title}: reset your password`,
    text: `Hello ${FirstName},

someone requested a new password for the user ${UserName} of ${title}. To choose one, open this link within an hour. It works once:

${link}

If you did not ask for it, ignore this mail: your password stays as it is.
`,
  };
}

export function firstPasswordMail({ UserName, FirstName, title, link }: LinkMail): Pick<Mail, 'subject' | 'text'> {
  return {
    subject: `${title}: set your password`,
    text: `Hello ${FirstName},

you are now a user of ${title}, with the user name ${UserName}. To choose your password, open this link within a day. It works once:

${link}

Later on, 'Reset password' on the sign-in page sends you another one.
`,
  };
}
