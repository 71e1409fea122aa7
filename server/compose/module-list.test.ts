import fastify from 'fastify';
import { expect, test } from 'vitest';
import { listModules } from './module-list.ts';

const counter = {
  create: ({ from }: { from: number }) => ({ count: from + 1 }),
};
const reader = {
  create: ({ count }: { count: number }) => ({ shown: `count ${count}` }),
  register: (http: ReturnType<typeof fastify>, { late }: { late: string }): void =>
    void http.get('/late', () => Promise.resolve(late)),
};
const last = { create: () => ({ late: 'created after its user' }) };

test('modules create parts from those before them, and routes use the parts of all', async () => {
  const modules = listModules<{ from: number }>().add(counter).add(reader).add(last);
  const parts = modules.create({ from: 1 });
  expect(parts).toEqual({ from: 1, count: 2, shown: 'count 2', late: 'created after its user' });
  const http = fastify();
  modules.register(http, parts);
  expect((await http.inject('/late')).body).toBe('created after its user');
});

test('a part has one creator', () => {
  const modules = listModules<{ from: number }>()
    .add(counter)
    .add({ create: () => ({ count: 5 }) });
  expect(() => modules.create({ from: 1 })).toThrow('two modules create count');
});

test('a module that lacks a part does not compile', () => {
  const modules = listModules<{ from: number }>();
  // @ts-expect-error -- nothing creates `count` before it
  modules.add(reader);
  const lacking = modules.add(counter).add(reader);
  // @ts-expect-error -- nothing creates `late`, which a route needs
  expect(() => lacking.register(fastify(), lacking.create({ from: 1 }))).not.toThrow();
});
