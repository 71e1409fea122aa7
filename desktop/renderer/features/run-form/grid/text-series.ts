/** Continues texts as Excel's fill handle does: numbers within them count up; days, months and quarters cycle. */
import type { FormCell } from '#shared/codecs/input-form.ts';

/** A text of a series: its position among texts with the same stem, and how to write any other position. */
interface Member {
  /** Equal for texts that differ only in the counting part. */
  stem: string;
  value: bigint;
  write: (value: bigint) => string;
}

const LISTS: readonly (readonly string[])[] = [
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
];

/** Returns the next `count` texts after `source`. Texts with nothing to count are repeated. */
export function continueTexts(source: readonly FormCell[], count: number, backward: boolean): FormCell[] {
  const members = membersOf(source);
  const steps = stepsOf(members, backward);
  return Array.from({ length: count }, (_, at) => {
    const index = at % source.length;
    const member = members[index];
    if (!member) return source[index]!;
    const step = steps.get(member.stem);
    if (step === undefined) return source[index]!;
    const alike = members.filter((other) => other?.stem === member.stem);
    const cycle = Math.floor(at / source.length);
    const further = cycle * alike.length + alike.indexOf(member) + 1;
    return member.write(alike.at(-1)!.value + step * BigInt(further));
  });
}

/** 'May' is in both month lists; the other texts decide which list applies. */
function membersOf(source: readonly FormCell[]): (Member | null)[] {
  const texts = source.map((cell) => (typeof cell === 'string' ? cell : ''));
  const list = LISTS.find((names) => texts.every((text) => indexIn(names, text) >= 0));
  return texts.map((text) => (list ? inList(list, text) : (quarter(text) ?? numbered(text))));
}

/** Returns the common step of each stem; stems with uneven steps have none. */
function stepsOf(members: readonly (Member | null)[], backward: boolean): Map<string, bigint> {
  const steps = new Map<string, bigint>();
  const byStem = Map.groupBy(
    members.filter((member) => member !== null),
    ({ stem }) => stem,
  );
  for (const [stem, alike] of byStem) {
    const step = alike.length === 1 ? (backward ? -1n : 1n) : alike[1]!.value - alike[0]!.value;
    if (alike.every(({ value }, at) => at === 0 || value - alike[at - 1]!.value === step)) steps.set(stem, step);
  }
  return steps;
}

const indexIn = (names: readonly string[], text: string): number =>
  names.findIndex((name) => name.toLowerCase() === text.trim().toLowerCase());

function inList(names: readonly string[], text: string): Member {
  const size = BigInt(names.length);
  return {
    stem: names[0]!,
    value: BigInt(indexIn(names, text)),
    write: (value) => inLettersOf(text, names[Number(((value % size) + size) % size)]!),
  };
}

function inLettersOf(text: string, name: string): string {
  if (text.length > 1 && text === text.toUpperCase()) return name.toUpperCase();
  return text === text.toLowerCase() ? name.toLowerCase() : name;
}

function quarter(text: string): Member | null {
  const found = /^(q|qtr|quarter)(\s*)([1-4])$/i.exec(text.trim());
  if (!found) return null;
  const [, word = '', space = '', digit = ''] = found;
  return {
    stem: `${word}${space}`,
    value: BigInt(digit) - 1n,
    write: (value) => `${word}${space}${(((value % 4n) + 4n) % 4n) + 1n}`,
  };
}

/** The number at the end counts, else the one at the beginning. 'Item 007' keeps its zeros, '1st' becomes '2nd'. */
function numbered(text: string): Member | null {
  const atEnd = /^(.*?)(\d+)$/s.exec(text);
  if (atEnd) return withNumber(atEnd[1]!, atEnd[2]!, () => '');
  const atStart = /^(\d+)(.*)$/s.exec(text);
  if (!atStart) return null;
  const [, number = '', rest = ''] = atStart;
  const ordinal = /^(st|nd|rd|th)\b(.*)$/is.exec(rest);
  return withNumber('', number, (value) => (ordinal ? ordinalEnd(value) + ordinal[2]! : rest), ordinal?.[2] ?? rest);
}

function withNumber(before: string, number: string, after: (value: bigint) => string, end = ''): Member {
  return {
    // JSON separates the two parts, because the texts around the number may contain any character.
    stem: JSON.stringify([before, end]),
    value: BigInt(number),
    // As in Excel, below zero the text counts up again, because it has no sign.
    write: (value) => {
      const size = value < 0n ? -value : value;
      return `${before}${String(size).padStart(number.startsWith('0') ? number.length : 0, '0')}${after(size)}`;
    },
  };
}

function ordinalEnd(value: bigint): string {
  const [ones, tens] = [value % 10n, value % 100n];
  if (tens >= 11n && tens <= 13n) return 'th';
  return ones === 1n ? 'st' : ones === 2n ? 'nd' : ones === 3n ? 'rd' : 'th';
}
