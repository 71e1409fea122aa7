import { _, Ajv, str, type Format, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';
import { INTEGER_MAX } from '#shared/contract/endpoint.ts';

/**
 * Bodies are validated strictly: a number sent as text is rejected. Values in the URL are always text, and are
 * converted as the schema requires. Unknown fields are rejected everywhere, by the schemas themselves.
 *
 * A schema is compiled when its route is first called: compiling all of them takes longer than the rest of a start.
 * `compileSchemas` of the server compiles the remaining ones, so a test finds schemas that cannot be compiled.
 */
export function useSchemas(app: FastifyInstance): void {
  const waiting = new Set<() => unknown>();
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const compile = httpPart === 'params' || httpPart === 'querystring' ? compileLenient : compileStrict;
    const compiled = onFirstUse(waiting, () => compile(schema as object));
    return function validate(value: unknown) {
      const isValid = compiled()(value);
      (validate as { errors?: ValidateFunction['errors'] }).errors = compiled().errors;
      return isValid;
    };
  });
  app.setSerializerCompiler(({ schema }) => {
    const compiled = onFirstUse(waiting, () => compileSerializer(schema as object));
    return (value: unknown) => compiled()(value as object);
  });
  app.decorate('compileSchemas', () => waiting.forEach((compile) => compile()));
}

const compileStrict = oncePerSchema(validatorsOf(createAjv(false)));
const compileLenient = oncePerSchema(validatorsOf(createAjv(true)));
const compileSerializer = oncePerSchema((schema) =>
  fastJsonStringify(forSerializer(schema) as fastJsonStringify.AnySchema),
);

function validatorsOf(ajv: Ajv): (schema: object) => ValidateFunction {
  return (schema) => ajv.compile(forValidator(schema)) as ValidateFunction;
}

/** Compiles each schema once per process: tests start hundreds of servers with the same schemas. */
function oncePerSchema<T>(compile: (schema: object) => T): (schema: object) => T {
  const compiled = new WeakMap<object, T>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known) return known;
    const created = compile(schema);
    compiled.set(schema, created);
    return created;
  };
}

function onFirstUse<T>(waiting: Set<() => unknown>, compile: () => T): () => T {
  let compiled: T | undefined;
  const use = (): T => {
    if (compiled === undefined) {
      compiled = compile();
      waiting.delete(use);
    }
    return compiled;
  };
  waiting.add(use);
  return use;
}

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({ coerceTypes, removeAdditional: false, useDefaults: false, allErrors: true, strict: false });
  countUnits(ajv);
  addFormats.default(ajv);
  const { 'date-time': timestamp } = ajv.formats;
  if (typeof timestamp !== 'object' || !('validate' in timestamp)) throw new Error('ajv-formats has no date-time');
  const fits = timestamp.validate as (text: string) => boolean;
  // RFC 3339 allows second 60; Date does not.
  ajv.addFormat('date-time', {
    ...timestamp,
    validate: (text: string) => fits(text) && !isNaN(Date.parse(text)),
  } as Format);
  return ajv;
}

/**
 * Counts lengths in UTF-16 units, as browsers and SQL Server do. Ajv counts characters, of which nvarchar(50) may hold
 * only 25. PostgreSQL counts characters too, so accepted texts fit the columns of both databases.
 */
function countUnits(ajv: Ajv): void {
  ajv.removeKeyword('maxLength').addKeyword({
    keyword: 'maxLength',
    type: 'string',
    schemaType: 'number',
    error: {
      message: ({ schemaCode }) => str`must NOT have more than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code: (context) => context.fail(_`${context.data}.length > ${context.schemaCode}`),
  });
}

interface SchemaNode {
  [key: string]: unknown;
}

/**
 * Integers of requests are stored in 32-bit columns, unless their schema says otherwise. Larger ones are rejected here;
 * the database would cause an unexpected error.
 */
function forValidator(schema: unknown): object {
  return bounded(schema) as object;
}

function bounded(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bounded);
  if (typeof schema !== 'object' || schema === null) return schema;
  const node = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, bounded(value)])) as SchemaNode;
  return node['type'] === 'integer' ? { minimum: -INTEGER_MAX - 1, maximum: INTEGER_MAX, ...node } : node;
}

/**
 * For an anyOf, the serializer validates every value against each branch. The most frequent case by far, "this or
 * null", is immediate if marked with `nullable`.
 */
function forSerializer(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forSerializer);
  if (typeof schema !== 'object' || schema === null) return schema;
  const node = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, forSerializer(value)]),
  ) as SchemaNode;
  const branches = node['anyOf'];
  if (!Array.isArray(branches) || branches.length !== 2) return node;
  const [first, second] = branches as [SchemaNode, SchemaNode];
  if (second['type'] !== 'null' || typeof first['type'] !== 'string') return node;
  const { anyOf: _, ...rest } = node;
  return { ...rest, ...first, nullable: true };
}
