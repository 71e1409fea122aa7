import type { Finding, FindingCode } from '#shared/contract/setup.ts';
import { AppError } from '#server/base/app-error.ts';
import { singleAddress } from '#server/mail/mail-addresses.ts';
import { MailError, type MailFault } from '#server/mail/mail-error.ts';
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
export async function sendTestMail({ mail, config }: SetupDeps, to: string, signal: AbortSignal): Promise<Finding[]> {
  const address = singleAddress(to);
  if (!address) {
    const text = `'${to}' is not a valid email address`;
    throw new AppError('mailAddress', 400, text, { modelState: { To: [text] } });
  }
  const { title } = config;
  try {
    await mail.send(
      {
        to: [address],
        subject: `${title}: test mail`,
        text: `This is a test mail of ${title}. An administrator sent it to check the mail settings.\n`,
      },
      signal,
    );
    return [finding('mailSent', { address: address.address })];
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof MailError)) throw error;
    return [finding(CODES[error.fault], { reason: error.message, address: address.address })];
  }
}
