/** The API description for programs and client generators. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { OPEN_API_DOCUMENT } from '#test/support/open-api-rules.ts';

interface Operation {
  parameters?: { name: string; in: string }[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

let app: TestApp;
let document: Document;

beforeAll(async () => {
  app = await testApp();
  const answer = await app.http.inject({ url: '/api/docs/json' });
  expect(answer.statusCode).toBe(200);
  document = answer.json();
});
afterAll(() => app.close());

const operations = (): [name: string, path: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      path,
      operation,
    ]),
  );

test('the document is one of OpenAPI 3.1, and its schemas are JSON Schemas', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  const validate = ajv.compile(OPEN_API_DOCUMENT);
  validate(document);
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  expect(problems).toEqual([]);
  expect(operations().length).toBeGreaterThan(100);
});

test('each call describes the parameters of its path, and no parameter twice', () => {
  const problems = operations().flatMap(([name, path, { parameters = [] }]) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!).toSorted();
    const described = parameters.filter((one) => one.in === 'path').map((one) => one.name);
    const keys = parameters.map((one) => `${one.in} ${one.name}`);
    return [
      ...(JSON.stringify(described.toSorted()) === JSON.stringify(inPath)
        ? []
        : [`${name} describes ${described.join()}`]),
      ...(new Set(keys).size === keys.length ? [] : [`${name} describes a parameter twice`]),
    ];
  });
  expect(problems).toEqual([]);
});
