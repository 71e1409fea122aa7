/**
 * Why a mail could not be sent, as a message for people. It contains nothing of a mail server's response to a sign-in.
 */

export type MailFault =
  /** The configuration names no mail server. */
  | 'notConfigured'
  /** The mail itself cannot be sent. */
  | 'refused'
  /** The mail server rejects some or all recipients. */
  | 'recipients'
  /** The mail server rejects the sign-in. */
  | 'signIn'
  /** The mail server cannot be reached, or not securely. */
  | 'connection'
  /** The mail server stopped responding after it had received the mail: whether it was sent is unknown. */
  | 'uncertain';

export class MailError extends Error {
  readonly fault: MailFault;
  constructor(fault: MailFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailError';
    this.fault = fault;
  }
}

/** Fields of nodemailer's errors: its code, the SMTP command, and the number and text of the response. */
interface SmtpError {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  rejected?: string[];
}

const MAX_ANSWER_LENGTH = 200;

export function refusalOf(error: unknown): MailError {
  const { code = '', command = '', response, rejected = [] } = error as SmtpError;
  const cause = { cause: error };
  const answer = response ? `: ${response.replaceAll(/\s+/g, ' ').slice(0, MAX_ANSWER_LENGTH)}` : '';
  if (code === 'EAUTH' || code === 'ENOAUTH' || command.startsWith('AUTH'))
    return new MailError(
      'signIn',
      'The mail server rejected the user name and password that are set on this server',
      cause,
    );
  if (code === 'ETLS') return new MailError('connection', 'The mail server offers no encrypted connection', cause);
  if (rejected.length > 0 || code === 'EENVELOPE')
    return new MailError('recipients', `The mail server does not accept the email${answer}`, cause);
  if (response !== undefined && code !== 'ECONNECTION')
    return new MailError('refused', `The mail server rejected the email${answer}`, cause);
  if (isBeforeTheMail(error as Error & SmtpError))
    return new MailError('connection', `The mail server cannot be reached${reason(error)}`, cause);
  return new MailError(
    'uncertain',
    'The connection to the mail server was lost; it is unknown whether the email was sent',
    cause,
  );
}

/**
 * nodemailer does not report the stage, so errors that can only occur before a session exists are recognized by their
 * text.
 */
const isBeforeTheMail = ({ code = '', message }: Error & SmtpError): boolean =>
  isDistrust(code, message) || message.startsWith('Greeting never received');

const isDistrust = (code: string, message: string): boolean =>
  /CERT|SELF.SIGNED|UNABLE_TO|ALTNAME|WRONG_VERSION|EPROTO/.test(`${code} ${message}`.toUpperCase());

function reason(error: unknown): string {
  const { code = '', message } = error as Error & SmtpError;
  return isDistrust(code, message) ? ' securely: its certificate is not trusted' : ': it does not respond in time';
}
