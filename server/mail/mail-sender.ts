/**
 * Sends mails through the configured mail server. It never tries a mail twice: whether a mail was sent must not be a
 * guess.
 */
import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { Config } from '#server/config/config-schema.ts';
import { fitsHeader, singleAddress } from './mail-addresses.ts';
import type { MailAddress } from './mail-addresses.ts';
import { openMailConnection } from './mail-connection.ts';
import { MailError, refusalOf } from './mail-error.ts';

export type MailSettings = Pick<
  Config,
  'smtpHost' | 'smtpPort' | 'smtpSecurity' | 'smtpUser' | 'smtpPassword' | 'mailFrom'
>;

export interface Mail {
  /** Each recipient gets the mail, and sees the others. */
  to: MailAddress[];
  cc?: MailAddress[];
  subject: string;
  /** Plain text: the text of a workbook or a person is never interpreted as markup. */
  text: string;
  attachments?: { FileName: string; bytes: Uint8Array }[];
  /**
   * Identifies the mail for mail servers and for people who search for it: '{word}@{domain of the sender}'. Generated
   * if absent.
   */
  messageId?: string;
}

export interface MailSender {
  /** False if the configuration names no mail server; `send` then throws. */
  readonly isConfigured: boolean;
  /** Resolves when the mail server has accepted the mail for all recipients. Throws a MailError. */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
}

export interface MailSenderOptions {
  /** Certificate authorities to trust in addition to those of Node.js, as PEM. */
  ca?: string;
  /** In milliseconds: until a connection is established, and without data while it is open. */
  timeouts?: { connect: number; silence: number };
}

const TIMEOUTS = { connect: 15_000, silence: 60_000 };

export function createMailSender(settings: MailSettings, options: MailSenderOptions = {}): MailSender {
  const from = singleAddress(settings.mailFrom);
  return {
    isConfigured: settings.smtpHost !== '',
    async send(mail, signal) {
      if (settings.smtpHost === '' || !from) throw new MailError('notConfigured', NOT_CONFIGURED);
      checkHeaders(mail);
      signal?.throwIfAborted();
      const ending = new AbortController();
      const ended = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
      const address = { host: settings.smtpHost, port: settings.smtpPort };
      const connection = await openMailConnection(address, (options.timeouts ?? TIMEOUTS).connect, ended);
      try {
        await deliver(transportOf(settings, options, connection), from, mail);
      } catch (error) {
        signal?.throwIfAborted();
        throw error instanceof MailError ? error : refusalOf(error);
      } finally {
        ending.abort();
      }
    },
  };
}

const NOT_CONFIGURED = 'This server is not set up to send mails';

/**
 * Uses one connection per mail: a few mails per day do not justify keeping one open, and nothing of one mail can affect
 * another.
 */
function transportOf(settings: MailSettings, { ca, timeouts = TIMEOUTS }: MailSenderOptions, connection: Socket) {
  const { smtpHost: host, smtpPort: port, smtpSecurity, smtpUser: user, smtpPassword: pass } = settings;
  return createTransport({
    host,
    port,
    connection,
    secure: smtpSecurity === 'tls',
    requireTLS: smtpSecurity === 'starttls',
    ignoreTLS: smtpSecurity === 'none',
    greetingTimeout: timeouts.connect,
    socketTimeout: timeouts.silence,
    // Attachments are bytes: a path or URL in a mail could only come from outside.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === '' ? {} : { auth: { user, pass } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
}

async function deliver(transport: ReturnType<typeof transportOf>, from: MailAddress, mail: Mail): Promise<void> {
  const { accepted, rejected } = await transport.sendMail({
    from,
    to: mail.to,
    ...(mail.cc && mail.cc.length > 0 ? { cc: mail.cc } : {}),
    subject: mail.subject,
    text: mail.text,
    attachments: (mail.attachments ?? []).map(({ FileName, bytes }) => ({
      filename: FileName,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
    ...(mail.messageId === undefined ? {} : { messageId: `<${mail.messageId}>` }),
  });
  if (rejected.length === 0) return;
  const sent = accepted.length === 0 ? '' : `; it was sent to the other ${accepted.length}`;
  throw new MailError('recipients', `The mail server rejected ${rejected.map(addressText).join(', ')}${sent}`);
}

const addressText = (address: string | { address: string }): string =>
  typeof address === 'string' ? address : address.address;

/** Characters that end a header line could add headers and recipients: such a mail is refused, not corrected. */
function checkHeaders({ to, cc = [], subject, attachments = [], messageId = 'a@b' }: Mail): void {
  if (to.length === 0) throw new MailError('refused', 'The mail has no recipient');
  for (const { name, address } of [...to, ...cc]) {
    const isValid = fitsHeader(name) && singleAddress(address)?.address === address;
    if (!isValid) throw new MailError('refused', `'${address}' is no address that a mail can be sent to`);
  }
  if (!fitsHeader(subject)) throw new MailError('refused', 'The subject of a mail must be one line');
  if (attachments.some(({ FileName }) => !fitsHeader(FileName)))
    throw new MailError('refused', 'The name of an attached file has characters that no file name may have');
  if (!/^[\w.-]+@[\w.-]+$/.test(messageId)) throw new MailError('refused', 'The mail has no proper id');
}
