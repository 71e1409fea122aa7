/**
 * The requirements for an OpenAPI document as a JSON Schema, limited to the objects in the portal's document, after
 * "Schema" (4.8) of the OpenAPI Specification 3.1.0 (https://spec.openapis.org/oas/v3.1.0). Unknown fields are
 * rejected, except those that start with x-.
 */
const TEXT = { type: 'string' };
const SWITCH = { type: 'boolean' };
const listOf = (items: object) => ({ type: 'array', items });
const mapOf = (values: object) => ({ type: 'object', additionalProperties: values });
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

const objectOf = (required: readonly string[], properties: Record<string, object>, more: object = {}) => ({
  type: 'object',
  required,
  properties,
  patternProperties: { '^x-': true },
  additionalProperties: false,
  ...more,
});

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const EXAMPLES = { example: {}, examples: mapOf({ type: 'object' }) };

export const OPEN_API_DOCUMENT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...objectOf(['openapi', 'info', 'paths'], {
    openapi: { type: 'string', pattern: String.raw`^3\.1\.\d+$` },
    info: ref('info'),
    servers: listOf(objectOf(['url'], { url: TEXT, description: TEXT })),
    paths: { type: 'object', patternProperties: { '^/': ref('pathItem') }, additionalProperties: false },
    components: ref('components'),
    security: listOf(ref('security')),
    tags: listOf(objectOf(['name'], { name: TEXT, description: TEXT })),
  }),
  $defs: {
    info: objectOf(['title', 'version'], { title: TEXT, version: TEXT, summary: TEXT, description: TEXT }),
    components: objectOf([], {
      schemas: mapOf(ref('schema')),
      securitySchemes: mapOf(
        objectOf(['type', 'scheme'], { type: { const: 'http' }, scheme: TEXT, bearerFormat: TEXT, description: TEXT }),
      ),
    }),
    security: mapOf(listOf(TEXT)),
    pathItem: objectOf([], {
      ...Object.fromEntries(METHODS.map((method) => [method, ref('operation')])),
      parameters: listOf(ref('parameter')),
      summary: TEXT,
      description: TEXT,
    }),
    operation: objectOf(['responses'], {
      operationId: TEXT,
      summary: TEXT,
      description: TEXT,
      tags: listOf(TEXT),
      deprecated: SWITCH,
      parameters: listOf(ref('parameter')),
      requestBody: objectOf(['content'], { content: ref('content'), description: TEXT, required: SWITCH }),
      responses: {
        type: 'object',
        minProperties: 1,
        patternProperties: { '^([1-5]([0-9]{2}|XX)|default)$': ref('response') },
        additionalProperties: false,
      },
      security: listOf(ref('security')),
    }),
    parameter: objectOf(
      ['name', 'in'],
      {
        name: TEXT,
        in: { enum: ['path', 'query', 'header', 'cookie'] },
        description: TEXT,
        required: SWITCH,
        deprecated: SWITCH,
        style: TEXT,
        explode: SWITCH,
        schema: ref('schema'),
        content: { ...ref('content'), minProperties: 1, maxProperties: 1 },
        ...EXAMPLES,
      },
      {
        oneOf: [{ required: ['schema'] }, { required: ['content'] }],
        if: { properties: { in: { const: 'path' } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { properties: { required: { const: true } }, required: ['required'] },
      },
    ),
    response: objectOf(['description'], {
      description: TEXT,
      headers: mapOf({ type: 'object' }),
      content: ref('content'),
    }),
    content: mapOf(objectOf([], { schema: ref('schema'), ...EXAMPLES })),
    schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
  },
} as const;
