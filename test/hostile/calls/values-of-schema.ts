/** Generates values that match a schema, with names and numbers that are meaningful to the server. */
import type { SeededRandom } from '#test/support/seeded-random.ts';

/** Values in the database, by the lower-case name of the field that contains them. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

const OPTIONAL_SHARE = 60;

export function valueOf(schema: object, name: string, random: SeededRandom, known: KnownValues): unknown {
  const { const: constant, enum: choices, anyOf, type, ...rest } = schema as Schema;
  if (constant !== undefined) return constant;
  if (choices) return random.pick(choices);
  if (anyOf) return valueOf(random.pick(anyOf), name, random, known);
  const fitting = (known[name.toLowerCase()] ?? []).filter((value) => typeof value === jsTypeOf(type));
  if (fitting.length > 0 && random.between(1, 100) <= 85) return random.pick(fitting);
  switch (type) {
    case 'object':
      return objectOf(rest, random, known);
    case 'array':
      return arrayOf(rest, name, random, known);
    case 'string':
      return stringOf(rest, random);
    case 'integer':
      return random.between(rest.minimum ?? 0, Math.min(rest.maximum ?? 12, (rest.minimum ?? 0) + 12));
    case 'number':
      return random.pick([rest.minimum ?? 0, 0.5, 12.25, 44_000]);
    case 'boolean':
      return random.pick([true, false]);
    case 'null':
      return null;
    default:
      return random.pick(['x', 1, null]);
  }
}

const jsTypeOf = (type: string | undefined): string | undefined => (type === 'integer' ? 'number' : type);

function objectOf({ properties = {}, required = [] }: Schema, random: SeededRandom, known: KnownValues): object {
  const chosen = Object.entries(properties).filter(
    ([name]) => required.includes(name) || random.between(1, 100) <= OPTIONAL_SHARE,
  );
  return Object.fromEntries(chosen.map(([name, schema]) => [name, valueOf(schema, name, random, known)]));
}

function arrayOf(
  { items = {}, minItems = 0, maxItems = 4 }: Schema,
  name: string,
  random: SeededRandom,
  known: KnownValues,
) {
  const length = random.between(minItems, Math.min(maxItems, minItems + 3));
  return Array.from({ length }, () => valueOf(items, name, random, known));
}

function stringOf({ format, pattern, minLength = 0, maxLength = 30 }: Schema, random: SeededRandom): string {
  if (format === 'date-time') return '2026-03-29T01:30:00.000Z';
  if (format === 'date') return random.pick(['2026-03-29', '2026-12-31']);
  if (pattern?.includes('saml2')) return random.pick(['saml2:corp', 'oidc:corp']);
  return 'abc D-7 ü'.repeat(8).slice(0, Math.max(minLength, random.between(1, Math.min(maxLength, 24))));
}
