/** Values of an event, converted for the inputs that take them. */
import { isSerialDate, parseSerialDate } from '#shared/codecs/serial-date.ts';
import { WrittenNumber } from '#shared/codecs/exact-number.ts';
import { parseExactNumber } from '#shared/codecs/number-text.ts';
import type { StoredTriggerInput } from './trigger-row.ts';

export interface EventValue {
  Name: string;
  /** JSON text, as in a start. */
  Value: string;
}

const MAX_VALUE_LENGTH = 100_000;
/** The usual time format in JSON: UTC, with fractions of a second. */
const JSON_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?$/;

/** Reads a date from its ISO text, the formats that people type, or a serial number. */
function serialOf(raw: unknown): number | null {
  if (typeof raw === 'number') return isSerialDate(raw) ? raw : null;
  return typeof raw === 'string' ? parseSerialDate(raw.trim().replace(JSON_TIME, '$1')) : null;
}

/** Returns undefined if the value is not of this kind. */
function valueOfKind(kind: StoredTriggerInput['Kind'], received: unknown): unknown {
  // A long number, such as an order number, is used as it was written, not as JSON.parse rounds it.
  const raw = received instanceof WrittenNumber ? (kind === 'Date' ? received.value : received.text) : received;
  switch (kind) {
    case 'Date':
      return serialOf(raw) ?? undefined;
    case 'Number':
      if (typeof raw === 'number') return raw;
      // A text if the number has more than 15 digits; the input keeps as many as it can.
      return typeof raw === 'string' ? (parseExactNumber(raw.trim()) ?? undefined) : undefined;
    case 'Boolean':
      if (typeof raw === 'boolean') return raw;
      return typeof raw === 'string' && /^(true|false)$/i.test(raw.trim()) ? /^true$/i.test(raw.trim()) : undefined;
    case 'Text':
      if (typeof raw === 'string') return raw.length > MAX_VALUE_LENGTH ? undefined : raw;
      return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : undefined;
  }
}

/**
 * Reads the values of an event. Inputs whose value is absent keep their default. Returns a message if a value has the
 * wrong type.
 */
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
    if (value === undefined)
      return { values: [], issue: `${Name}: the value at ${From} is not a ${Kind.toLowerCase()}` };
    values.push({ Name, Value: JSON.stringify(value) });
  }
  return { values, issue: null };
}

/** Returns the value at a JSON pointer (RFC 6901); undefined if there is none. */
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
