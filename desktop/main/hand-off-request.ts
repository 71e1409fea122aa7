/** What a program of the same person, such as an add-in of a spreadsheet program, asks of the running client. docs/add-ins.md says it for those who write one. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type, type Static } from 'typebox';

/** In the folder of the program; only the person reads it. */
export const HAND_OFF_FILE = 'handoff.json';
export const HAND_OFF_PATH = '/handoff';
/** Brings the proof of a request or an answer, base64url. */
export const PROOF_HEADER = 'x-runsheet-proof';

/** Where the client listens, as the file says it. */
export interface HandOffPlace {
  version: 1;
  /** Of 127.0.0.1. */
  port: number;
  /** Of the client's process. */
  pid: number;
  /** Made anew at each start; it never leaves the file and the two programs. */
  secret: string;
}

export const HandOffRequest = Type.Object(
  {
    /** Address of the portal, as the person knows it. */
    Portal: Type.String({ minLength: 1, maxLength: 2000 }),
    /** What the program calls itself, such as 'excel'. */
    ClientKind: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9._-]{0,39}$' }),
    /** Where it listens on 127.0.0.1 for its code. */
    Port: Type.Integer({ minimum: 1024, maximum: 65_535 }),
    /** SHA-256 of its proof key, base64url. */
    Challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
    /** Handed back with the code. */
    State: Type.String({ pattern: '^[A-Za-z0-9_-]{16,100}$' }),
  },
  { additionalProperties: false },
);
export type HandOffRequest = Static<typeof HandOffRequest>;

/** Where `Shown` is false, `Message` says why, and the program goes by the browser. */
export interface HandOffAnswer {
  Shown: boolean;
  Message: string;
}

/** Of a request's body: whoever makes it has read the file. */
export const requestProof = (secret: string, body: string): string => proof(secret, `request\n${body}`);

/** Of an answer's body and the state of its request: so the program knows that the client answers, and not who took its port after it. */
export const answerProof = (secret: string, state: string, body: string): string =>
  proof(secret, `answer\n${state}\n${body}`);

const proof = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text, 'utf8').digest('base64url');

/** In a time that tells nothing of the expected text. */
export function isSameText(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
