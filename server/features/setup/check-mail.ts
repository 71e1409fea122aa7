import type { Finding, FindingCode } from '#shared/contract/setup.ts';
import { AppError } from '#server/base/app-error.ts';
import { singleAddress } from '#server/mail/mail-addresses.ts';
import { MailError, type MailFault } from '#server/mail/mail-error.ts';
import { mailWords } from '#server/mail/mail-language.ts';
import type { Language } from '#shared/contract/auth.ts';
import { finding } from './finding.ts';
import type { SetupDeps } from './setup-deps.ts';

const CODES: Readonly<Record<MailFault, FindingCode>> = {
  notConfigured: 'mailOff',
  refused: 'mailRefused',
  recipients: 'mailRecipientRefused',
  signIn: 'mailSignInRefused',
  connection: 'mailUnreachable',
  uncertain: 'mailUncertain',
};

/** Throws an AppError 400 if `to` is not an address. */
export async function sendTestMail(
  { mail, config }: SetupDeps,
  { to, language }: { to: string; language: Language | null },
  signal: AbortSignal,
): Promise<Finding[]> {
  const address = singleAddress(to);
  if (!address) {
    const text = `'${to}' is not a valid email address`;
    throw new AppError('mailAddress', 400, text, { modelState: { To: [text] } });
  }
  const words = mailWords(language);
  const { title } = config;
  const subject = words.text('{title}: test email', { title });
  const text = words.text('This is a test email of {title}. An administrator sent it to check the mail settings.', {
    title,
  });
  try {
    await mail.send({ to: [address], subject, text: `${text}\n` }, signal);
    return [finding('mailSent', { address: address.address })];
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof MailError)) throw error;
    return [finding(CODES[error.fault], { reason: error.message, address: address.address })];
  }
}
