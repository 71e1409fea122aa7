/** Checks the value of a manifest against the schema of its kind, and says what is wrong and how to fix it. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { MANIFEST_API_VERSION } from './manifest-head.ts';
import { pointerTo } from './read-manifest.ts';
import { SOURCE_FIELDS } from './workflow-manifest.ts';

export interface ManifestProblem {
  /** JSON pointer to the value. */
  pointer: string;
  message: string;
}

/** A part of a manifest with a schema of its own. */
export interface ManifestPart {
  pointer: string;
  value: unknown;
  schema: TSchema;
  /** For example "a step of kind Approval". */
  what: string;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks the fields with which every manifest begins. @param kinds the kinds that are known */
export function headProblems(value: unknown, kinds: readonly string[]): ManifestProblem[] {
  if (!isRecord(value)) {
    return [{ pointer: '', message: `The file must begin with apiVersion: ${MANIFEST_API_VERSION} and kind.` }];
  }
  const problems: ManifestProblem[] = [];
  if (value['apiVersion'] !== MANIFEST_API_VERSION) {
    problems.push({
      pointer: '/apiVersion',
      message: `apiVersion must be ${MANIFEST_API_VERSION}${value['apiVersion'] === undefined ? '. Add it.' : `, not ${shown(value['apiVersion'])}.`}`,
    });
  }
  if (!kinds.includes(String(value['kind']))) {
    const listed = kinds.join(', ');
    problems.push({
      pointer: '/kind',
      message: `kind must be ${kinds.length === 1 ? listed : `one of ${listed}`}${value['kind'] === undefined ? '. Add it.' : `, not ${shown(value['kind'])}.`}`,
    });
  }
  return problems;
}

/** Returns the problems of a part. */
export function partProblems({ pointer, value, schema, what }: ManifestPart): ManifestProblem[] {
  const found = new Map<string, ManifestProblem>();
  // A field with a typing error is both unknown and missing: the first says more.
  const isUnknown = ({ keyword }: SchemaError): number => (keyword === 'boolean' ? 0 : 1);
  const errors = (Value.Errors(schema, value) as SchemaError[]).toSorted((a, b) => isUnknown(a) - isUnknown(b));
  for (const error of errors) {
    const at = resolve(schema, value, error.instancePath);
    for (const problem of messagesOf(error, at, what)) {
      // A union reports one error per alternative; the first problem of a value is enough.
      const full = { ...problem, pointer: pointer + problem.pointer };
      if (!found.has(full.pointer)) found.set(full.pointer, full);
    }
  }
  return [...found.values()];
}

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
}

interface Place {
  schema: Record<string, unknown>;
  value: unknown;
  /** The last part of the path, or the item's list and number. */
  name: string;
}

/** Follows a JSON pointer through the schema and the value. */
function resolve(schema: TSchema, value: unknown, pointer: string): Place {
  let at: Place = { schema: schema as Record<string, unknown>, value, name: '' };
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const isItem = Array.isArray(at.value);
    const properties = at.schema['properties'];
    const next = isItem
      ? at.schema['items']
      : isRecord(properties) && Object.hasOwn(properties, key)
        ? properties[key]
        : {};
    at = {
      schema: isRecord(next) ? next : {},
      value: isItem
        ? (at.value as unknown[])[Number(key)]
        : isRecord(at.value) && Object.hasOwn(at.value, key)
          ? at.value[key]
          : undefined,
      name: isItem ? `${at.name}[${Number(key) + 1}]` : key,
    };
  }
  return at;
}

function messagesOf({ keyword, instancePath, params }: SchemaError, at: Place, what: string): ManifestProblem[] {
  const one = (message: string): ManifestProblem[] => [{ pointer: instancePath, message }];
  switch (keyword) {
    case 'boolean':
      return one(`The field ${at.name} does not exist${in_(instancePath, what)}. Check its spelling and indentation.`);
    case 'additionalProperties':
      return [];
    case 'required':
      return (params['requiredProperties'] as string[]).map((field) => ({
        pointer: pointerTo(instancePath, field),
        message: `The field ${field} is missing${at.name === '' ? ` in ${what}` : ` in ${at.name}`}. Add it.`,
      }));
    case 'minProperties':
    case 'maxProperties':
      return one(sourceMessage(at));
    default:
      return one(`${at.name || 'The value'} must be ${expected(at.schema)}, not ${shown(at.value)}.`);
  }
}

const in_ = (pointer: string, what: string): string => (pointer.lastIndexOf('/') === 0 ? ` in ${what}` : ' here');

function sourceMessage({ schema, name }: Place): string {
  const properties = isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const sources = properties.filter((field) => SOURCE_FIELDS.includes(field));
  return `${name || 'The value'} must have exactly one of ${sources.join(', ')}.`;
}

/** Says in words what a schema accepts. */
function expected(schema: Record<string, unknown>): string {
  const { minimum, maximum, maxLength, minItems, maxItems } = schema as Record<string, number | undefined>;
  const values = schema['enum'];
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  if ('const' in schema) return String(schema['const']);
  if (Array.isArray(schema['anyOf'])) {
    return [...new Set(schema['anyOf'].map((one) => expected(one as Record<string, unknown>)))].join(' or ');
  }
  const range =
    minimum === undefined ? '' : maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
  switch (schema['type']) {
    case 'integer':
      return `a whole number${range}`;
    case 'number':
      return `a number${range}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'string':
      if (typeof schema['pattern'] === 'string' && typeof schema['description'] === 'string') {
        return `text such as ${schema['description'].replace(/^Such as /, '')}`;
      }
      return `text${'minLength' in schema ? ' that is not empty' : ''}${maxLength === undefined ? '' : ` of at most ${maxLength} characters`}`;
    case 'array':
      return `a list${minItems === undefined ? '' : ` of at least ${minItems} items`}${maxItems === undefined ? '' : ` of at most ${maxItems} items`}`;
    default:
      return 'a map of fields';
  }
}

/** Shows a value that is wrong, without filling the screen. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return 'a map of fields';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}
