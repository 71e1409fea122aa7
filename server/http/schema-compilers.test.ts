import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useSchemas } from './schema-compilers.ts';

const app = Fastify();
beforeAll(async () => {
  useSchemas(app);
  const body = { type: 'object', properties: { Name: { type: 'string', maxLength: 50 } } };
  app.post('/', { schema: { body } }, () => ({}));
  await app.ready();
});
afterAll(() => app.close());

const statusFor = async (Name: string): Promise<number> =>
  (await app.inject({ method: 'POST', url: '/', payload: { Name } })).statusCode;

it('counts lengths as columns of both databases do: a character of two units is two', async () => {
  expect(await statusFor('x'.repeat(50))).toBe(200);
  expect(await statusFor('x'.repeat(51))).toBe(400);
  expect(await statusFor('🙂'.repeat(25))).toBe(200);
  expect(await statusFor('🙂'.repeat(30))).toBe(400);
});

it('finds a schema that cannot be compiled when all are compiled, not only when its route is called', async () => {
  const wrong = Fastify();
  useSchemas(wrong);
  wrong.post('/', { schema: { body: { type: 'no such type' } } }, () => ({}));
  await wrong.ready();
  expect(() => wrong.compileSchemas()).toThrow('schema is invalid');
  await wrong.close();
});
