/**
 * The session handoff request that a program of the same user, such as a spreadsheet add-in, sends to the running
 * client. docs/add-ins.md documents it for authors of such programs.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type, type Static } from 'typebox';

/** Located in the program's folder; only the user can read it. */
export const HANDOFF_FILE = 'handoff.json';
export const HANDOFF_PATH = '/handoff';
/** Contains the proof of a request or response, base64url. */
export const PROOF_HEADER = 'x-runsheet-proof';

/** Where the client listens, as written to the file. */
export interface HandoffEndpoint {
  version: 1;
  /** Port on 127.0.0.1. */
  port: number;
  /** Process id of the client. */
  pid: number;
  /** Generated at each start; known only from the file and to the two programs. */
  secret: string;
}

export const HandoffRequest = Type.Object(
  {
    /** Address of the portal, as the user knows it. */
    Portal: Type.String({ minLength: 1, maxLength: 2000 }),
    /** The program's name for itself, such as 'excel'. */
    ClientKind: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9._-]{0,39}$' }),
    /** Port on 127.0.0.1 on which it waits for its code. */
    Port: Type.Integer({ minimum: 1024, maximum: 65_535 }),
    /** SHA-256 of its proof key, base64url. */
    Challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
    /** Returned with the code. */
    State: Type.String({ pattern: '^[A-Za-z0-9_-]{16,100}$' }),
  },
  { additionalProperties: false },
);
export type HandoffRequest = Static<typeof HandoffRequest>;

/** If `Shown` is false, `Message` says why, and the program uses the browser instead. */
export interface HandoffAnswer {
  Shown: boolean;
  Message: string;
}

/** Proof for a request's body: its sender must have read the file. */
export const requestProof = (secret: string, body: string): string => proof(secret, `request\n${body}`);

/**
 * Proof for a response's body and the state of its request. It shows the program that the client responded, and not a
 * process that took over its port.
 */
export const answerProof = (secret: string, state: string, body: string): string =>
  proof(secret, `answer\n${state}\n${body}`);

const proof = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text, 'utf8').digest('base64url');

/** Compares in constant time, which reveals nothing about the expected text. */
export function isSameText(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
