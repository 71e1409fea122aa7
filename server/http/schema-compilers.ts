import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are taken as they are: a number sent as text is refused. What stands in the address is text by nature and becomes what
 * the schema says. Unknown fields are refused everywhere, by the schemas themselves.
 */
export function useSchemas(app: FastifyInstance): void {
  const strict = createAjv(false);
  const lenient = createAjv(true);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const ajv = httpPart === 'params' || httpPart === 'querystring' ? lenient : strict;
    return ajv.compile(schema) as ValidateFunction;
  });
  app.setSerializerCompiler(({ schema }) => fastJsonStringify(forSerializer(schema) as fastJsonStringify.AnySchema));
}

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({ coerceTypes, removeAdditional: false, useDefaults: false, allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv;
}

interface SchemaNode {
  [key: string]: unknown;
}

/**
 * The serializer tries the branches of an anyOf by validating against each, for every value. "This or null", by far the most
 * frequent of them, it can do at once when told so with `nullable`.
 */
export function forSerializer(schema: unknown): unknown {
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
