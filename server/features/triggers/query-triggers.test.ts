/** Triggers of queries: a condition that turns true, and keys that are new. */
import { expect } from 'vitest';
import type { TriggerUpdate } from '#shared/contract/triggers.ts';
import { test } from '#test/support/fixtures/trigger-portal.ts';
import { from } from '#test/support/trigger-portal.ts';
import { until } from '#test/support/until.ts';

test('a query starts when it turns true, and once for each new key', async ({ portal }) => {
  const { app, data, engine, call, body, save, triggerOf, firings, inputsOf, poll } = portal;
  const ask = async (id: number): Promise<void> => {
    await app.database
      .knex('Triggers')
      .where('Id', id)
      .update({ NextTime: new Date(0), LookMessage: 'asking' });
    await engine.poll();
    await until(
      'it was asked',
      async () => (await app.database.knex('Triggers').where('Id', id).first()).LookMessage !== 'asking',
    );
    await poll(1);
  };
  const Plan = (When: 'BecomesTrue' | 'NewKey', Sql: string): TriggerUpdate['Plan'] => ({
    Kind: 'Query',
    Connection: 'Shop',
    Sql,
    Minutes: 1,
    When,
  });
  const many = await save({ Plan: Plan('BecomesTrue', 'select count(*) > 1 as "Many" from "Orders"'), Name: 'Many' });
  const each = await save({
    Plan: Plan('NewKey', 'select "Id" as "Key", "Id" * 10 as "Total" from "Orders"'),
    Inputs: [from('Amount', 'total')],
    Name: 'Each',
  });
  const long = await save({
    Plan: Plan('NewKey', 'select "Id" + 9007199254740990 as "Key" from "Orders"'),
    Name: 'Keys that are one double',
  });
  await data.knex('Orders').insert({ Id: 1 });
  await ask(long.Trigger.Id);
  await ask(many.Trigger.Id);
  await ask(each.Trigger.Id);
  expect(await firings(each.Trigger.Id)).toEqual([]);
  await data.knex('Orders').insert([{ Id: 2 }, { Id: 3 }]);
  for (const { Trigger: made } of [many, each, many, each, long]) await ask(made.Id);
  await until('it fired', async () => (await firings(long.Trigger.Id)).length === 2);
  await until('it fired', async () => (await firings(each.Trigger.Id)).length === 2);
  await until('it fired', async () => (await firings(many.Trigger.Id)).length === 1);
  expect((await firings(each.Trigger.Id)).toSorted()).toEqual(['Started: New: 2', 'Started: New: 3']);
  expect(await firings(many.Trigger.Id)).toEqual(['Started: The condition has become true']);
  const { Firings } = await triggerOf(each.Trigger.Id);
  const amounts = await Promise.all(Firings.map(({ RunId }) => inputsOf(RunId!)));
  expect(amounts.flat()).toEqual(expect.arrayContaining([expect.objectContaining({ Name: 'Amount', Value: '20' })]));
  const tried = await call('POST', 'activities/triggers/test', { Id: each.Trigger.Id, Body: null });
  expect(tried.body.result).toEqual({ WouldStart: false, Lines: ['3 rows, of which 0 are new'] });
  const writing = await call('POST', 'activities/triggers', body({ Plan: Plan('NewKey', 'delete from "Orders"') }));
  expect(writing.status).toBe(400);
  await data.knex.schema.dropTable('Orders');
  await ask(many.Trigger.Id);
  expect((await triggerOf(many.Trigger.Id)).LookMessage).not.toBeNull();
});
