import type { ErrorObject } from 'ajv';
import type { ModelState } from '#server/base/app-error.ts';
import { counted } from '#shared/codecs/counted.ts';

/** More fields tell a person nothing new; a body may have tens of thousands of errors. */
const MAX_FIELDS = 50;
const MAX_LISTED_VALUES = 12;

export interface ValidationText {
  /** The first error, with its field: 'Inputs/0/Value must be string or null'. */
  message: string;
  /** All invalid fields with their errors: {'Inputs/0/Value': ['must be string or null']}. */
  modelState: ModelState;
}

/**
 * Describes why a schema rejected a value. `part` names what was rejected if no field can be named: 'body', 'params',
 * 'querystring'.
 */
export function validationText(errors: readonly ErrorObject[], part: string): ValidationText {
  const modelState: ModelState = {};
  for (const [field, fieldErrors] of errorsByField(withoutBranches(errors))) {
    modelState[field] = [mergeTypes(fieldErrors)];
    if (Object.keys(modelState).length === MAX_FIELDS) break;
  }
  const [first = ['', ['is not valid']] as const] = Object.entries(modelState);
  const [field, [problem = 'is not valid']] = first as [string, string[]];
  return { message: `${field || partName(part)} ${problem}`, modelState };
}

function partName(part: string): string {
  return part === 'querystring' ? 'query' : part;
}

/**
 * A failed anyOf reports the errors of all its branches. If a branch was entered (it has an error deeper than the anyOf
 * itself), the errors of the others, such as "must be null", are misleading.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const entered = new Set<string>();
  const choices = errors.filter((error) => error.keyword === 'anyOf').map((error) => error.instancePath);
  for (const path of choices) {
    if (errors.some((error) => error.keyword !== 'anyOf' && fieldOf(error).startsWith(`${fieldName(path)}/`))) {
      entered.add(path);
    }
  }
  return errors.filter(
    (error) => error.keyword !== 'anyOf' && !(error.keyword === 'type' && entered.has(error.instancePath)),
  );
}

function errorsByField(errors: ErrorObject[]): Map<string, ErrorObject[]> {
  const fields = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const field = fieldOf(error);
    const fieldErrors = fields.get(field);
    if (fieldErrors) fieldErrors.push(error);
    else fields.set(field, [error]);
  }
  return fields;
}

function fieldName(instancePath: string): string {
  return instancePath.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the invalid field; for a missing or unknown field its own name instead of that of the object around it. */
function fieldOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const own = missingProperty ?? additionalProperty;
  const around = fieldName(error.instancePath);
  if (own === undefined) return around;
  return around === '' ? own : `${around}/${own}`;
}

/** Returns 'must be string or null' for the two errors of a type union; otherwise the first error. */
function mergeTypes(errors: ErrorObject[]): string {
  const types = errors.filter((error) => error.keyword === 'type').map((fault) => String(fault.params['type']));
  const [first] = errors;
  if (!first) return 'is not valid';
  if (first.keyword === 'type' && types.length > 0) return `must be ${[...new Set(types)].join(' or ')}`;
  return errorText(first);
}

function errorText({ keyword, params, message }: ErrorObject): string {
  const { limit, allowedValue, allowedValues } = params as {
    limit?: number;
    allowedValue?: unknown;
    allowedValues?: unknown[];
  };
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a known field';
    case 'const':
      return `must be ${JSON.stringify(allowedValue)}`;
    case 'enum':
      return allowedValues && allowedValues.length <= MAX_LISTED_VALUES
        ? `must be one of ${allowedValues.join(', ')}`
        : 'must be one of the allowed values';
    case 'maxLength':
      return `must not be longer than ${counted(limit ?? 0, 'character')}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must be at least ${limit} characters long`;
    case 'format':
      return `must be a ${String((params as { format?: string }).format)}`;
    default:
      return message ?? 'is not valid';
  }
}
