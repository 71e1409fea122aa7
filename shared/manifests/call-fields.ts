/**
 * Translates between the fields of a call and those of a manifest, both ways and driven by the schema of the call:
 * TimeZone is timeZone in a file, null and default values are omitted, and ids become names.
 */
import { Type, type TProperties, type TSchema } from 'typebox';
import { closed } from '#shared/contract/endpoint.ts';
import { isRecord } from './manifest-problems.ts';
import { pointerTo } from './read-manifest.ts';

/** An activity, checklist or workflow by its name. */
export const OwnerName = closed({
  schema: Type.String({ minLength: 1, maxLength: 30 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
});

/** Translates ids to names and back. */
export interface NamesOfPortal {
  /** Returns undefined if there is no such thing here any more. @param record the fields beside it */
  nameOf: (field: string, value: unknown, record: Record<string, unknown>) => unknown;
  /** @param pointer where the name is in the manifest, for problems */
  idOf: (field: string, name: unknown, at: { record: Record<string, unknown>; pointer: string }) => unknown;
}

const MINUTES_OF_DAY = 1440;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** The fields of calls that have another meaning in files. */
const OTHER_FIELDS: Readonly<Record<string, { field: string; schema: TSchema }>> = {
  CalendarId: { field: 'calendar', schema: Type.String({ minLength: 1, maxLength: 100 }) },
  UserIds: {
    field: 'users',
    schema: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 100, description: 'User names' }),
  },
  SourceId: { field: 'of', schema: OwnerName },
  TimeOfDay: {
    field: 'time',
    schema: Type.String({ pattern: TIME.source, description: 'Such as "06:30"' }),
  },
  Value: {
    field: 'value',
    schema: Type.Union([Type.String({ maxLength: 32_767 }), Type.Number(), Type.Boolean(), Type.Null()]),
  },
};

type Schema = Record<string, unknown>;
const asSchema = (schema: unknown): Schema => (isRecord(schema) ? schema : {});
const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
const fieldOf = (name: string): string => OTHER_FIELDS[name]?.field ?? camel(name);

/** Returns the alternatives of a union without null; the schema itself if it is no union. */
function alternatives(schema: unknown): Schema[] {
  const { anyOf } = asSchema(schema);
  return Array.isArray(anyOf) ? anyOf.map(asSchema).filter(({ type }) => type !== 'null') : [asSchema(schema)];
}

const isNullable = (schema: unknown): boolean => {
  const { anyOf } = asSchema(schema);
  return Array.isArray(anyOf) && anyOf.some((one) => asSchema(one)['type'] === 'null');
};
const propertiesOf = (schema: Schema): Record<string, Schema> =>
  asSchema(schema['properties']) as Record<string, Schema>;
const kindOf = (schema: Schema): unknown => propertiesOf(schema)['Kind']?.['const'];
const isOmitted = (schema: Schema): boolean => schema['type'] === 'array' && !('minItems' in schema);

/** Returns the schema of a file's value for that of a call. @param usual values that a file may omit */
export function fileSchema(schema: unknown, usual: Readonly<Record<string, unknown>> = {}): TSchema {
  const [first, ...others] = alternatives(schema);
  if (others.length > 0) return Type.Union([first!, ...others].map((one) => fileSchema(one)));
  const properties = asSchema(first)['properties'];
  if (isRecord(properties)) return closed(fileProperties(properties, usual));
  if (first!['type'] === 'array') return Type.Array(fileSchema(first!['items']), limitsOf(first!));
  return Type.Unsafe(first!);
}

function fileProperties(properties: Record<string, unknown>, usual: Readonly<Record<string, unknown>>): TProperties {
  const entries = Object.entries(properties).map(([name, schema]): [string, TSchema] => {
    const own = OTHER_FIELDS[name]?.schema ?? fileSchema(schema);
    const mayBeOmitted = isNullable(schema) || isOmitted(asSchema(schema)) || name in usual;
    return [fieldOf(name), mayBeOmitted ? Type.Optional(own) : own];
  });
  return Object.fromEntries(entries);
}

const limitsOf = ({ minItems, maxItems, uniqueItems }: Schema): Record<string, unknown> => ({
  ...(minItems !== undefined && { minItems }),
  ...(maxItems !== undefined && { maxItems }),
  ...(uniqueItems !== undefined && { uniqueItems }),
});

/** Returns the schemas of a union's alternatives by their kind. */
export const variantsOf = (schema: unknown): Record<string, TSchema> =>
  Object.fromEntries(alternatives(schema).map((one) => [String(kindOf(one)), fileSchema(one)]));

/** Translates a value of a call to that of a file. */
export function toFile(
  schema: unknown,
  value: unknown,
  names: NamesOfPortal,
  usual: Readonly<Record<string, unknown>> = {},
): unknown {
  const own = alternativeOf(schema, value, 'Kind');
  if (Array.isArray(value)) return value.map((item) => toFile(own['items'], item, names));
  if (!isRecord(value) || !isRecord(own['properties'])) return value;
  const file: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(propertiesOf(own))) {
    const given = value[name];
    if (given === null || given === undefined) continue;
    const named = name in OTHER_FIELDS ? otherToFile(name, given, value, names) : toFile(inner, given, names);
    const isUsual = name in usual ? isSame(named, usual[name]) : isOmitted(inner) && isSame(named, []);
    if (named !== undefined && !isUsual) file[fieldOf(name)] = named;
  }
  return file;
}

function otherToFile(name: string, value: unknown, record: Record<string, unknown>, names: NamesOfPortal): unknown {
  if (name === 'Value') return parsed(String(value));
  return name === 'TimeOfDay' ? timeText(Number(value)) : names.nameOf(name, value, record);
}

/** Values of inputs are JSON texts in calls. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Translates a value of a file to that of a call. The value must fit the schema of the file. */
export function fromFile(
  schema: unknown,
  value: unknown,
  { names, pointer, usual = {} }: { names: NamesOfPortal; pointer: string; usual?: Readonly<Record<string, unknown>> },
): unknown {
  const own = alternativeOf(schema, value, 'kind');
  const inner = (part: unknown, given: unknown, key: string | number): unknown =>
    fromFile(part, given, { names, pointer: pointerTo(pointer, key) });
  if (Array.isArray(value)) return value.map((item, index) => inner(own['items'], item, index));
  if (!isRecord(value) || !isRecord(own['properties'])) return value;
  const call: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(propertiesOf(own))) {
    const field = fieldOf(name);
    const given = field in value ? value[field] : usual[name];
    if (given === undefined && field !== 'value') call[name] = isOmitted(part) ? [] : null;
    else if (given === undefined) call[name] = null;
    else if (name in OTHER_FIELDS) {
      call[name] = otherFromFile(name, given, names, { record: value, pointer: pointerTo(pointer, field) });
    } else call[name] = inner(part, given, field);
  }
  return call;
}

function otherFromFile(
  name: string,
  value: unknown,
  names: NamesOfPortal,
  at: { record: Record<string, unknown>; pointer: string },
): unknown {
  if (name === 'Value') return JSON.stringify(value);
  if (name !== 'TimeOfDay') return names.idOf(name, value, at);
  const [, hour, minute] = TIME.exec(String(value)) ?? [];
  return (Number(hour) * 60 + Number(minute)) / MINUTES_OF_DAY;
}

/** Times are set to the minute. */
function timeText(share: number): string {
  const minutes = Math.round(share * MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function alternativeOf(schema: unknown, value: unknown, field: 'Kind' | 'kind'): Schema {
  const all = alternatives(schema);
  const kind = isRecord(value) ? value[field] : undefined;
  return all.find((one) => kind !== undefined && kindOf(one) === kind) ?? all[0]!;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
