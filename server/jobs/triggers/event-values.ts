/** Values that come with an event, for the inputs that are to take them. */
import { isSerialDate, parseSerialDate } from '#shared/codecs/serial-date.ts';
import { WrittenNumber } from '#shared/codecs/exact-number.ts';
import { parseExactNumber } from '#shared/codecs/number-text.ts';
import type { StoredTriggerInput } from '#server/db/trigger-row.ts';

export interface EventValue {
  Name: string;
  /** JSON text, as with a start. */
  Value: string;
}

const LONGEST = 100_000;
/** As JSON usually has it: in UTC, to parts of a second. */
const JSON_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?$/;

/** A date by its ISO text or as people type it, or a serial. */
function serialOf(raw: unknown): number | null {
  if (typeof raw === 'number') return isSerialDate(raw) ? raw : null;
  return typeof raw === 'string' ? parseSerialDate(raw.trim().replace(JSON_TIME, '$1')) : null;
}

/** Undefined where it is none of the kind. */
export function valueOfKind(kind: StoredTriggerInput['Kind'], given: unknown): unknown {
  // A long number, such as the number of an order, as it was written and not as JSON.parse rounds it.
  const raw = given instanceof WrittenNumber ? (kind === 'Date' ? given.value : given.text) : given;
  switch (kind) {
    case 'Date':
      return serialOf(raw) ?? undefined;
    case 'Number':
      if (typeof raw === 'number') return raw;
      // A text where it has more than 15 digits, of which an input keeps as many as it can.
      return typeof raw === 'string' ? (parseExactNumber(raw.trim()) ?? undefined) : undefined;
    case 'Boolean':
      if (typeof raw === 'boolean') return raw;
      return typeof raw === 'string' && /^(true|false)$/i.test(raw.trim()) ? /^true$/i.test(raw.trim()) : undefined;
    case 'Text':
      if (typeof raw === 'string') return raw.length > LONGEST ? undefined : raw;
      return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : undefined;
  }
}

/** What has no value there keeps its default. Answers why where a value does not fit. */
export function eventValues(
  inputs: readonly StoredTriggerInput[],
  valueAt: (from: string) => unknown,
): { values: EventValue[]; issue: string | null } {
  const values: EventValue[] = [];
  for (const { Name, Kind, From } of inputs) {
    if (From === null) continue;
    const raw = valueAt(From);
    if (raw === undefined || raw === null) continue;
    const value = valueOfKind(Kind, raw);
    if (value === undefined) return { values: [], issue: `${Name}: the value at ${From} is no ${Kind.toLowerCase()}` };
    values.push({ Name, Value: JSON.stringify(value) });
  }
  return { values, issue: null };
}

/** What stands at a JSON pointer (RFC 6901); undefined where nothing does. */
export function atPointer(body: unknown, pointer: string): unknown {
  if (pointer === '') return body;
  if (!pointer.startsWith('/')) return undefined;
  let at: unknown = body;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
