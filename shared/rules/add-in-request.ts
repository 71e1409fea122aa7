/** What a program asks of the portal with the address it opens. Source: specification of security, sections 2 and 4. */

export interface AddInRequest {
  /** Such as 'excel'. */
  kind: string;
  /** Where the program listens on 127.0.0.1; null where it takes a copied code. */
  port: number | null;
  /** SHA-256 of its proof key, base64url. */
  challenge: string;
  /** Handed back with the code, for the program to know its own request. */
  state: string;
  /** Asked in a window of the program's own, whose page at the portal takes the code (see desktop/renderer/excel). */
  isDialog?: true;
}

/** How a hand-over ended, as the program tells the browser. */
export type AddInResult = 'success' | 'failure';

export type AddInStart =
  | { kind: 'none' }
  | { kind: 'request'; request: AddInRequest }
  | { kind: 'result'; result: AddInResult };

const CLIENT = /^([A-Za-z][A-Za-z0-9._-]{0,39})(?::(\d{4,5}))?$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const STATE = /^[A-Za-z0-9_-]{0,100}$/;

/** Reads the values c, challenge, state, dialog and result of the start address. What is asked wrongly has failed. */
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

/** Lower ones belong to services of the computer. */
const isOwnPort = (port: number | null): boolean => port === null || (port >= 1024 && port <= 65_535);

/** Where the program listens, with its code. Only ever this computer. */
export function handOverAddress({ port, state }: AddInRequest & { port: number }, code: string): string {
  return `http://127.0.0.1:${port}/?code=${encodeURIComponent(code)}&state=${encodeURIComponent(state)}`;
}
