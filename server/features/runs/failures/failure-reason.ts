/**
 * Recognizes failures of the same reason. Two failures belong together only if the same action fixes both, so in doubt
 * they stay apart: two groups of one reason cost a second click, but one group of two reasons hides the second.
 */
import { createHash } from 'node:crypto';
import { LogCode } from '#shared/rules/log-codes.ts';
import { FIRST_SYSTEM_STATUS_CODE, type RunStatus } from '#shared/contract/run-status.ts';

export interface Failure {
  ActivityId: number;
  Status: RunStatus;
  /** The first error of the log; null if there is none. */
  Message: string | null;
  StatusCode: number | null;
}

/** Nouns before a quoted text that is a value. A quoted text after any other word may be a name, and stays. */
const VALUE_NOUNS =
  'values?|texts?|numbers?|dates?|keys?|ids?|entry|entries|row|rows|line|lines|record|records|file|files|wert|werte|werten|text|texte|zahl|zahlen|datum|schlüssel|eintrag|einträge|zeile|zeilen|datei|dateien';

/** Words before a number that is a code: it says what to do. */
const CODE_NOUNS =
  'code|status|error|err|errno|sqlstate|state|http|msg|message|exit|signal|port|ora|fehler|fehlercode|meldung';

const QUOTED = String.raw`"[^"]{0,300}"|'[^']{0,300}'|“[^”]{0,300}”|„[^“”]{0,300}[“”]|«[^»]{0,300}»|‘[^’]{0,300}’`;

/** In this order: longer patterns first, so that they are not torn apart by shorter ones. */
const REPLACEMENTS: readonly [pattern: RegExp, by: string][] = [
  // PostgreSQL's detail of a violated constraint: the columns stay, the values go.
  [/\)=\([^)]{0,300}\)/g, ')=(…)'],
  [new RegExp(String.raw`\b(${VALUE_NOUNS})( of| is| was|:)?\s+(?:${QUOTED})`, 'giu'), '$1$2 "…"'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '…'],
  [/\b0x[0-9a-f]{6,}\b/gi, '…'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,}\b/gi, '…'],
  [/[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}/g, '…'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '…'],
  [/\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g, '…'],
  [/\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b/g, '…'],
];

/** A number with its unit, unless it is part of a word such as B5, db01 or ORA-01017. */
const NUMBER =
  /(?<![\p{L}\p{N}_.-])[-+]?\d+(?:[.,'’\u00A0\u202F]\d+)*(?:e[-+]?\d+)?(?:ms|s|h|kb|mb|gb)?(?![\p{L}\p{N}_])/giu;
const IS_CODE = new RegExp(String.raw`(?:^|[^\p{L}])(?:${CODE_NOUNS})[\s:=#(-]*$`, 'iu');
/** Three digits after such a word are the status of an HTTP response. */
const IS_ANSWER =
  /(?:^|\P{L})(?:answered|returned|responded|response|received|got|with|antwort|antwortete|mit)[\s:=(]*$/iu;
const IS_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** A number of at least four digits after letters, such as the number of an invoice: INV-20391, KD004711. */
const NUMBERED = /\b(\p{Lu}{1,4})-?(\d{4,})\b/gu;
/** Codes of errors look like numbered records. */
const IS_ERROR_CODE = /^(?:ORA|SQL|PLS|TNS|DPY|ERR|E|HTTP|HY|ODBC|MSG|RFC)$/u;
/** A quoted text, which no apostrophe within a word begins. */
const QUOTED_TEXT = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${QUOTED})`, 'gu');

/**
 * Returns the text without what differs from one failure of a reason to the next: numbers, ids, times and quoted
 * values. Names, cell addresses and codes of errors stay.
 */
export function normalizedReason(text: string): string {
  let result = text.normalize('NFC');
  for (const [pattern, by] of REPLACEMENTS) result = result.replace(pattern, by);
  return withoutNumbersOutsideNames(result).replace(/\s+/g, ' ').trim();
}

/** The numbers of a quoted name stay: 'Price 1' and 'Price 2' are two columns. */
function withoutNumbersOutsideNames(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: quoted, index } of text.matchAll(QUOTED_TEXT)) {
    if (!/\p{L}/u.test(quoted)) continue;
    parts.push(withoutNumbers(text.slice(end, index)), quoted);
    end = index + quoted.length;
  }
  return [...parts, withoutNumbers(text.slice(end))].join('');
}

function withoutNumbers(text: string): string {
  const unnumbered = text.replace(NUMBERED, (all: string, letters: string) =>
    IS_ERROR_CODE.test(letters) ? all : `${letters}…`,
  );
  return unnumbered.replace(NUMBER, (number: string, offset: number) =>
    saysWhatToDo(number, unnumbered.slice(Math.max(0, offset - 20), offset)) ? number : '…',
  );
}

/** Returns whether a number is a code, a status of HTTP, or part of a server's address. */
function saysWhatToDo(number: string, before: string): boolean {
  if (IS_CODE.test(before) || IS_ADDRESS.test(number) || /[\p{L}\d]:$/u.test(before)) return true;
  return /^[1-5]\d\d$/.test(number) && IS_ANSWER.test(before);
}

/**
 * Status codes of errors of the server, and of the mail servers, folders and databases that steps use. One action fixes
 * them for all activities.
 */
const OF_ENVIRONMENT: ReadonlySet<number> = new Set<number>([
  2,
  LogCode.StepRefused,
  LogCode.EngineMissing,
  FIRST_SYSTEM_STATUS_CODE + 1,
  FIRST_SYSTEM_STATUS_CODE + 2,
  FIRST_SYSTEM_STATUS_CODE + 3,
]);

/** Returns the key of the failure's reason, 16 hexadecimal digits. */
export function reasonKey({ ActivityId, Status, Message, StatusCode }: Failure): string {
  const activity = StatusCode !== null && OF_ENVIRONMENT.has(StatusCode) ? '' : String(ActivityId);
  const parts = [Status, StatusCode ?? '', activity, normalizedReason(Message ?? '')];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
