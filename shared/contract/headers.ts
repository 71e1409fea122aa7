/** Headers that client and server exchange beside the calls and answers themselves. */

/** On every answer: the server's clock, ISO 8601. */
export const SERVER_TIME_HEADER = 'x-server-time';
/** On every answer. */
export const APPLICATION_VERSION_HEADER = 'x-application-version';
/** On every answer: the CONTRACT_VERSION by which the server was built, as a decimal number. */
export const CONTRACT_VERSION_HEADER = 'x-contract-version';
/**
 * Raised by one with each release that changes calls or answers so that a client of the release before would misread them. Programs that
 * are installed apart from the server, such as the desktop client, compare it and say which side is to be updated.
 */
export const CONTRACT_VERSION = 1;
/** On the answer of POST /token: when somebody last tried this name with a wrong password since the sign-in before, ISO 8601. */
export const LAST_FAILED_LOGIN_HEADER = 'x-last-failed-login-time';
/** On answers that a program on the person's computer has kept and gives while the server is away: when the server gave them, ISO 8601. */
export const KEPT_AT_HEADER = 'x-kept-at';
/** Of an answer, with small letters: all that pages read. Programs that pass answers on to pages pass these. */
export const READ_BY_PAGES = [
  'content-type',
  'content-disposition',
  'cache-control',
  'retry-after',
  SERVER_TIME_HEADER,
  LAST_FAILED_LOGIN_HEADER,
] as const;
/** On a call that a screen makes by itself while nobody does anything: it does not put off the end of an inactive session. */
export const UNATTENDED_HEADER = 'x-unattended';
/** On calls about a run that a visitor started: the token that came with its start. */
export const RUN_TOKEN_HEADER = 'x-run-token';
