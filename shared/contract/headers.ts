/** Custom HTTP headers that client and server exchange. */

/** On every response: the server's clock, ISO 8601. */
export const SERVER_TIME_HEADER = 'x-server-time';
/** On every response. */
export const APPLICATION_VERSION_HEADER = 'x-application-version';
/** On every response: the CONTRACT_VERSION that the server was built with, as a decimal number. */
export const CONTRACT_VERSION_HEADER = 'x-contract-version';
/**
 * Incremented by each release that changes calls or results in a way that clients of the previous release would
 * misread. Separately installed programs, such as the desktop client, compare it and say which side must be updated.
 */
export const CONTRACT_VERSION = 1;
/**
 * On the response of POST /token: time of the last failed password attempt for this name since the previous sign-in,
 * ISO 8601.
 */
export const LAST_FAILED_LOGIN_HEADER = 'x-last-failed-login-time';
/**
 * On stored responses that a desktop client serves while the server is unreachable: when the server sent the response,
 * ISO 8601.
 */
export const STORED_AT_HEADER = 'x-kept-at';
/** All response headers that pages read, in lower case. Programs that relay responses to pages pass these on. */
export const READ_BY_PAGES = [
  'content-type',
  'content-disposition',
  'cache-control',
  'retry-after',
  SERVER_TIME_HEADER,
  LAST_FAILED_LOGIN_HEADER,
] as const;
/** On calls that a screen makes without user activity: they do not postpone the timeout of an inactive session. */
export const UNATTENDED_HEADER = 'x-unattended';
/** On calls about a run that a visitor started: the token returned by its start. */
export const RUN_TOKEN_HEADER = 'x-run-token';
/**
 * On calls that start or create something: 1 to 64 ASCII characters without spaces. The same call with the same key
 * does so once.
 */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
/**
 * Longest time in seconds that a call waits for the end of a run, as its preference `wait` of the header Prefer asks:
 * less than the minute after which proxies usually drop a silent connection.
 */
export const MAX_PREFERRED_WAIT_SECONDS = 50;
