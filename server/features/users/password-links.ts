/** Links by which people set their own password. Source: specification of security, sections 2, 5 and 7. */
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
/** Who is new may read the mail only tomorrow. */
const FIRST_SECONDS = 86_400;
/** Links a person may hold at once: nobody can fill another one's mailbox. */
const MOST_LINKS = 5;
/** Mails that may wait for the mail server; more are dropped, for anybody may ask for them. */
const MOST_PENDING = 50;

type Recipient = Pick<UserRow, 'UserId' | 'UserName' | 'FirstName' | 'Email'>;

export interface PasswordLinks {
  /** Whether there are mails to send links with, a known address for them to lead to, and local users at all. */
  readonly isOffered: boolean;
  /** Whether links can be used, however they came: where passwords are kept here. */
  readonly isUsable: boolean;
  /**
   * Mails a link to the user of that name, if there is one who may use it. Answers at once and does everything afterwards, so that
   * neither answer nor time tells anything. Throws an AppError 400 where links are not offered.
   */
  request(userName: string, address: string): void;
  /** A new link of a user; the answer goes into one mail, or to who made the user, and nowhere else. */
  issue(db: Db, userId: number, purpose: 'reset' | 'first'): Promise<string>;
  /** Throws an AppError 400 where the mail could not be sent. */
  mail(user: Recipient, token: string, purpose: 'reset' | 'first'): Promise<void>;
  /** Uses a link up; false where the user has no such link. */
  take(db: Db, token: string, userId: number): Promise<boolean>;
  /** Waits for the mails under way. */
  settle(): Promise<void>;
}

export interface PasswordLinksDeps {
  database: Pick<Database, 'knex'>;
  mail: MailSender;
  log: Log;
  /** Name of the installation. */
  title: string;
  /** Address of the portal, ending with a slash; never taken from a request, which could lead the link elsewhere. */
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
      log.warn({ err: cause, user: user.UserName }, 'a mail with a password link could not be sent');
      throw new AppError('mailFailed', 400, `The mail could not be sent. ${cause.message}`, { cause });
    }
  };

  async function answerRequest(userName: string, from: string): Promise<void> {
    const user = await findUserByName(knex, userName);
    // What nobody here is called may be a password in the wrong field.
    const about = { ...(user ? { user: user.UserName } : {}), address: from };
    if (!user?.Enabled || user.Source !== 'Local' || !singleAddress(user.Email)) {
      return log.info(about, 'a password link was asked for by nobody who can have one');
    }
    if ((await countPasswordLinks(knex, user.UserId)) >= MOST_LINKS) {
      return log.warn(about, 'too many password links were asked for');
    }
    await mail(user, await issue(knex, user.UserId, 'reset'), 'reset');
    log.info(about, 'a password link was sent');
  }

  return {
    isOffered,
    isUsable: deps.allowLocalUsers,
    request: (userName, from) => {
      if (!isOffered) throw linksDisabled();
      if (pending.size >= MOST_PENDING) return log.warn({ address: from }, 'a request for a password link was dropped');
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

/** Of the portal, where the link leads. */
export const linkPath = (token: string): string => `resetpassword?token=${token}`;

/** Tokens are random enough that a fast hash without salt keeps them. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const linksDisabled = (): AppError =>
  new AppError('passwordLinksDisabled', 400, 'This functionality is disabled');

export function noAddress(): AppError {
  const text = 'The user has no mail address';
  return new AppError('noMailAddress', 400, text, { modelState: { Email: [text] } });
}
