/** Mails of steps: allowed recipients and maximum size. */
import { domainOf, parseAddresses } from '#server/mail/mail-addresses.ts';
import type { MailAddress } from '#server/mail/mail-addresses.ts';
import { MailError } from '#server/mail/mail-error.ts';
import type { MailSender } from '#server/mail/mail-sender.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import type { StepMail } from '#server/executors/step-services.ts';

export interface StepMailSettings {
  /** Domains to which mail may be sent; empty for all. */
  mailDomains: readonly string[];
}

const MAX_RECIPIENTS = 200;
/** Maximum size of all attachments in bytes. Most mail servers refuse more. */
const MAX_ATTACHED_BYTES = 25 * 2 ** 20;

/** Makes a single attempt. Throws StepRefused with a message for people if it fails. */
export async function sendStepMail(
  sender: MailSender,
  { mailDomains }: StepMailSettings,
  mail: StepMail,
  signal: AbortSignal,
): Promise<{ recipients: number }> {
  const refuse = (what: string, status: 'Failed' | 'LogicError' = 'Failed', cause?: unknown): StepRefused =>
    new StepRefused(status, `Step '${mail.step}': ${what}`, { cause });
  const [to, cc] = [addresses(mail.to, refuse), addresses(mail.cc, refuse)];
  const all = [...to, ...cc];
  if (all.length > MAX_RECIPIENTS) throw refuse(`a mail goes to at most ${MAX_RECIPIENTS} recipients`);
  const foreign = all.find((address) => mailDomains.length > 0 && !isIn(mailDomains, domainOf(address)));
  if (foreign) throw refuse(`this server sends no mails to ${domainOf(foreign)}`);
  const size = mail.attachments.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  if (size > MAX_ATTACHED_BYTES) throw refuse('the attached files are larger than 25 MB');
  try {
    await sender.send({ to, cc, subject: mail.subject, text: mail.text, attachments: mail.attachments }, signal);
    return { recipients: all.length };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    throw refuse(error.message, error.fault === 'notConfigured' ? 'LogicError' : 'Failed', error);
  }
}

function addresses(text: string, refuse: (what: string) => StepRefused): MailAddress[] {
  const { addresses: found, wrong } = parseAddresses(text);
  if (wrong.length > 0) throw refuse(`'${wrong[0]!.slice(0, 100)}' is not a valid email address`);
  return found;
}

const isIn = (domains: readonly string[], domain: string): boolean =>
  domains.some((allowed) => domain === allowed.toLowerCase() || domain.endsWith(`.${allowed.toLowerCase()}`));
