/** Links with which people set their own password. Source: specification of security, sections 2, 5 and 7. */
import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { Log } from '#server/base/log.ts';
import { singleAddress } from '#server/mail/mail-addresses.ts';
import { MailError } from '#server/mail/mail-error.ts';
import type { MailSender } from '#server/mail/mail-sender.ts';
import { firstPasswordMail, resetMail } from './password-link-mails.ts';
import { countPasswordLinks, insertPasswordLink, takePasswordLink } from './password-links-repository.ts';
import { findUserByName, type UserRow } from './users-repository.ts';

const RESET_SECONDS = 3600;
/** A new user may not read the mail until the next day. */
const FIRST_SECONDS = 86_400;
/** Maximum number of valid links per user, so that nobody can flood another person's mailbox. */
const MAX_LINKS = 5;
/** Maximum number of mails waiting for the mail server. Further requests are dropped, because anybody can make them. */
const MAX_PENDING_MAILS = 50;

type Recipient = Pick<UserRow, 'UserId' | 'UserName' | 'FirstName' | 'Email' | 'Language'>;

export interface PasswordLinks {
  /** True if mails can be sent, the portal's address is configured, and local users are allowed. */
  readonly isOffered: boolean;
  /** True if links can be used, however people got them: if passwords are stored here. */
  readonly isUsable: boolean;
  /**
   * Mails a link to the user with that name, if there is one who may use it. It returns immediately and does everything
   * afterwards, so that neither result nor duration reveals anything. Throws an AppError 400 if links are not offered.
   */
  request(userName: string, address: string): void;
  /**
   * Creates a link for a user. The result may only be sent in one mail, or be shown to the person who created the user.
   */
  issue(db: Db, userId: number, purpose: 'reset' | 'first'): Promise<string>;
  /** Throws an AppError 400 if the mail could not be sent. */
  mail(user: Recipient, token: string, purpose: 'reset' | 'first'): Promise<void>;
  /** Uses up a link. Returns false if the user has no such link. */
  take(db: Db, token: string, userId: number): Promise<boolean>;
  /** Waits until the pending mails are sent. */
  settle(): Promise<void>;
}

export interface PasswordLinksDeps {
  database: Pick<Database, 'knex'>;
  mail: MailSender;
  log: Log;
  /** Name of the installation. */
  title: string;
  /**
   * Public URL of the portal, ending with a slash. It is never taken from a request, which could direct the link
   * elsewhere.
   */
  address: string | null;
  allowLocalUsers: boolean;
}

export function createPasswordLinks(deps: PasswordLinksDeps): PasswordLinks {
  const {
    database: { knex },
    mail: sender,
    log,
    title,
    address,
  } = deps;
  const isOffered = sender.isConfigured && address !== null && deps.allowLocalUsers;
  const pending = new Set<Promise<void>>();

  const issue: PasswordLinks['issue'] = async (db, UserId, purpose) => {
    const token = randomBytes(32).toString('base64url');
    const seconds = purpose === 'reset' ? RESET_SECONDS : FIRST_SECONDS;
    await insertPasswordLink(db, { TokenHash: hashOf(token), UserId }, seconds);
    return token;
  };

  const mail: PasswordLinks['mail'] = async (user, token, purpose) => {
    const to = singleAddress(user.Email);
    if (!to) throw noAddress();
    const link = `${address}${linkPath(token)}`;
    const text = purpose === 'reset' ? resetMail : firstPasswordMail;
    try {
      await sender.send({ to: [to], ...text({ ...user, title, link }) });
    } catch (cause) {
      if (!(cause instanceof MailError)) throw cause;
      log.warn({ err: cause, user: user.UserName }, 'could not send a mail with a password link');
      throw new AppError('mailFailed', 400, `The email could not be sent. ${cause.message}`, { cause });
    }
  };

  async function answerRequest(userName: string, from: string): Promise<void> {
    const user = await findUserByName(knex, userName);
    // An unknown name is not logged, because it may be a password in the wrong field.
    const about = { ...(user ? { user: user.UserName } : {}), address: from };
    if (!user?.Enabled || user.Source !== 'Local' || !singleAddress(user.Email)) {
      return log.info(about, 'ignored a request for a password link: no such local user with an email address');
    }
    if ((await countPasswordLinks(knex, user.UserId)) >= MAX_LINKS) {
      return log.warn(about, 'too many requests for password links');
    }
    await mail(user, await issue(knex, user.UserId, 'reset'), 'reset');
    log.info(about, 'sent a password link');
  }

  return {
    isOffered,
    isUsable: deps.allowLocalUsers,
    request: (userName, from) => {
      if (!isOffered) throw linksDisabled();
      if (pending.size >= MAX_PENDING_MAILS)
        return log.warn({ address: from }, 'dropped a request for a password link: too many are waiting');
      const work = answerRequest(userName, from).catch((error: unknown) => {
        if (!(error instanceof AppError)) log.error({ err: error }, 'a request for a password link failed');
      });
      pending.add(work);
      void work.finally(() => pending.delete(work));
    },
    issue,
    mail,
    take: (db, token, userId) => takePasswordLink(db, hashOf(token), userId),
    settle: async () => void (await Promise.all(pending)),
  };
}

/** Path within the portal that the link opens. */
export const linkPath = (token: string): string => `resetpassword?token=${token}`;

/** Tokens have enough entropy that a fast hash without salt protects them. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const linksDisabled = (): AppError =>
  new AppError('passwordLinksDisabled', 400, 'This functionality is disabled');

export function noAddress(): AppError {
  const text = 'The user has no email address';
  return new AppError('noMailAddress', 400, text, { modelState: { Email: [text] } });
}
