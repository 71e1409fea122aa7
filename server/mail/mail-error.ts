/** Why a mail could not be sent, in words for people. Nothing of what a mail server answers to a sign-in gets into them. */

export type MailFault =
  /** The configuration names no mail server. */
  | 'notConfigured'
  /** The mail itself is not one that can be sent. */
  | 'refused'
  /** The mail server does not take some or all recipients. */
  | 'recipients'
  /** The mail server does not let this server in. */
  | 'signIn'
  /** It cannot be reached, or not safely. */
  | 'connection'
  /** It stopped answering after it had been given the mail: nobody knows whether it was sent. */
  | 'uncertain';

export class MailError extends Error {
  readonly fault: MailFault;
  constructor(fault: MailFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailError';
    this.fault = fault;
  }
}

/** What nodemailer's errors carry: its codes, the command that was answered, the number and text of the answer. */
interface SmtpError {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  rejected?: string[];
}

const LONGEST_ANSWER = 200;

export function refusalOf(error: unknown): MailError {
  const { code = '', command = '', response, rejected = [] } = error as SmtpError;
  const cause = { cause: error };
  const answer = response ? `: ${response.replaceAll(/\s+/g, ' ').slice(0, LONGEST_ANSWER)}` : '';
  if (code === 'EAUTH' || code === 'ENOAUTH' || command.startsWith('AUTH'))
    return new MailError('signIn', 'The mail server refused the name and password of this server', cause);
  if (code === 'ETLS') return new MailError('connection', 'The mail server offers no encrypted connection', cause);
  if (rejected.length > 0 || code === 'EENVELOPE')
    return new MailError('recipients', `The mail server does not take the mail${answer}`, cause);
  if (response !== undefined && code !== 'ECONNECTION')
    return new MailError('refused', `The mail server refused the mail${answer}`, cause);
  if (isBeforeTheMail(error as Error & SmtpError))
    return new MailError('connection', `The mail server cannot be reached${reason(error)}`, cause);
  return new MailError(
    'uncertain',
    'The connection to the mail server was lost; whether the mail was sent is not known',
    cause,
  );
}

/** nodemailer tells no stage: what can only happen before a session stands is known by its words. */
const isBeforeTheMail = ({ code = '', message }: Error & SmtpError): boolean =>
  isDistrust(code, message) || message.startsWith('Greeting never received');

const isDistrust = (code: string, message: string): boolean =>
  /CERT|SELF.SIGNED|UNABLE_TO|ALTNAME|WRONG_VERSION|EPROTO/.test(`${code} ${message}`.toUpperCase());

function reason(error: unknown): string {
  const { code = '', message } = error as Error & SmtpError;
  return isDistrust(code, message) ? ' safely: it has no certificate that is trusted' : ': it does not answer in time';
}
