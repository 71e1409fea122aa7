/**
 * Request of a local program to the portal, contained in the address that the program opens. Source: specification of
 * security, sections 2 and 4.
 */

export interface AddInRequest {
  /** Such as 'excel'. */
  kind: string;
  /** Port on which the program listens on 127.0.0.1; null if the user copies the code instead. */
  port: number | null;
  /** SHA-256 of the program's proof key, base64url. */
  challenge: string;
  /** Returned with the code, so that the program can recognize its own request. */
  state: string;
  /**
   * Set if the request comes from a dialog of the program itself, whose portal page receives the code (see
   * desktop/renderer/excel).
   */
  isDialog?: true;
}

/** Result of a session handoff, as the program reports it to the browser. */
export type AddInResult = 'success' | 'failure';

export type AddInStart =
  | { kind: 'none' }
  | { kind: 'request'; request: AddInRequest }
  | { kind: 'result'; result: AddInResult };

const CLIENT = /^([A-Za-z][A-Za-z0-9._-]{0,39})(?::(\d{4,5}))?$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const STATE = /^[A-Za-z0-9_-]{0,100}$/;

/**
 * Reads the parameters c, challenge, state, dialog and result of the start address. An invalid request yields the
 * result 'failure'.
 */
export function readAddInStart(query: { get(name: string): string | null }): AddInStart {
  const client = query.get('c');
  if (client === null || client === '' || client === 'web') return { kind: 'none' };
  const result = query.get('result');
  if (result !== null) return { kind: 'result', result: result === 'success' ? 'success' : 'failure' };
  const [, kind, digits] = CLIENT.exec(client) ?? [];
  const challenge = query.get('challenge') ?? '';
  const state = query.get('state') ?? '';
  const port = digits === undefined ? null : Number(digits);
  const isRight = kind !== undefined && CHALLENGE.test(challenge) && STATE.test(state) && isOwnPort(port);
  if (!isRight) return { kind: 'result', result: 'failure' };
  const isDialog = port === null && query.get('dialog') !== null;
  return { kind: 'request', request: { kind, port, challenge, state, ...(isDialog && { isDialog }) } };
}

/** Lower ports belong to system services. */
const isOwnPort = (port: number | null): boolean => port === null || (port >= 1024 && port <= 65_535);

/** Returns the address at which the program receives its code; always on this computer. */
export function codeDeliveryAddress({ port, state }: AddInRequest & { port: number }, code: string): string {
  return `http://127.0.0.1:${port}/?code=${encodeURIComponent(code)}&state=${encodeURIComponent(state)}`;
}
