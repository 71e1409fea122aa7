import type { RouteShorthandOptions } from 'fastify';
import { IGNORED_FIELDS } from '#shared/contract/endpoint.ts';

type Strip = (value: unknown) => void;
interface SchemaNode {
  [key: string]: unknown;
}

/**
 * Removes fields that a contract allows clients to send but ignores. Returns no hook if the schema has no such field.
 */
export function ignoreFields(schema: unknown): Pick<RouteShorthandOptions, 'preValidation'> {
  const strip = stripperOf(schema);
  if (!strip) return {};
  return {
    preValidation: (request, _reply, done) => {
      strip(request.body);
      done();
    },
  };
}

function stripperOf(schema: unknown): Strip | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { properties, items, anyOf, [IGNORED_FIELDS]: ignored = [] } = schema as SchemaNode;
  const branches = (Array.isArray(anyOf) ? anyOf : []).map(stripperOf).filter((strip) => strip !== undefined);
  const ofItems = stripperOf(items);
  const ofFields = Object.entries((properties ?? {}) as SchemaNode).flatMap(([name, property]) => {
    const strip = stripperOf(property);
    return strip ? [{ name, strip }] : [];
  });
  const names = ignored as readonly string[];
  if (branches.length === 0 && !ofItems && ofFields.length === 0 && names.length === 0) return undefined;
  return (value) => {
    if (Array.isArray(value)) {
      if (ofItems) value.forEach(ofItems);
    } else if (typeof value === 'object' && value !== null) {
      const fields = value as SchemaNode;
      for (const name of names) delete fields[name];
      for (const { name, strip } of ofFields) strip(fields[name]);
    }
    for (const strip of branches) strip(value);
  };
}
