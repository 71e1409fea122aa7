/** Locks, errors, retried transactions, messages to listeners, and the migrations. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { expect, it } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Dialect } from '#server/db/dialect/types.ts';
import { add, type Bench, onEachDatabase } from './things.ts';

onEachDatabase((whenOpen) => {
  let knex: Knex;
  let dialect: Dialect;
  let opened: Bench['opened'];
  let target: Bench['target'];
  whenOpen((bench) => {
    ({ knex, dialect, opened, target } = bench);
  });

  it('gives a named lock to one transaction at a time', async () => {
    const order: string[] = [];
    let second: Promise<void> | undefined;
    await knex.transaction(async (trx) => {
      await dialect.lock(trx, 'a name');
      expect(await knex.transaction((other) => dialect.tryLock(other, 'a name'))).toBe(false);
      expect(await knex.transaction((other) => dialect.tryLock(other, 'another'))).toBe(true);
      second = knex.transaction(async (other) => {
        await dialect.lock(other, 'a name');
        order.push('second');
      });
      await pause(100);
      order.push('first');
    });
    await second;
    expect(order).toEqual(['first', 'second']);
    expect(await knex.transaction((other) => dialect.tryLock(other, 'a name'))).toBe(true);
  });

  it('refuses a named lock to a transaction any number of times, and keeps what the transaction has written', async () => {
    await knex.transaction(async (holder) => {
      await dialect.lock(holder, 'a name');
      await knex.transaction(async (other) => {
        await add(other, 'kept');
        for (let attempt = 0; attempt < 8; attempt += 1) expect(await dialect.tryLock(other, 'a name')).toBe(false);
      });
    });
    expect(await knex('Things').where('Name', 'kept')).toHaveLength(1);
  });

  it('says what a refused statement means', async () => {
    await add(knex, 'a');
    const fault = async (work: () => PromiseLike<unknown>): Promise<unknown> => {
      try {
        await work();
        return 'none';
      } catch (error) {
        return dialect.classify(error);
      }
    };
    expect(await fault(() => knex('Things').insert({ Name: 'a' }))).toEqual({
      fault: 'unique',
      constraint: 'UX_Things_Name',
    });
    expect(await fault(() => knex('Parts').insert({ ThingId: -1 }))).toEqual({
      fault: 'foreignKey',
      constraint: 'FK_Parts_Things',
    });
    expect(await fault(() => knex('Nowhere').insert({ A: 1 }))).toEqual({ fault: 'other' });
    const gone = new URL(opened.url);
    gone.hostname = '127.0.0.1';
    gone.port = '1';
    gone.search = '';
    const unreachable = createDatabase({ url: gone.href });
    expect(await fault(() => unreachable.knex.raw('select 1'))).toEqual({ fault: 'connection' });
    await unreachable.close();
  });

  it('says what a statement was refused for, where the server had ended its transaction too', async () => {
    await expect(inTransaction(knex, (trx) => trx.raw('select selec from'))).rejects.toThrow(/syntax/i);
  });

  it('runs a transaction again when it was the victim of a deadlock', async () => {
    const [a = 0, b = 0] = await add(knex, 'a', 'b');
    const met = Promise.withResolvers<void>();
    let runs = 0;
    let waiting = 0;
    const change = (first: number, second: number): Promise<void> =>
      inTransaction(knex, async (trx) => {
        runs++;
        await trx('Things')
          .where('Id', first)
          .update({ Size: knex.raw('coalesce(??, 0) + 1', ['Size']) });
        if (++waiting >= 2) met.resolve();
        await met.promise;
        await trx('Things')
          .where('Id', second)
          .update({ Size: knex.raw('coalesce(??, 0) + 1', ['Size']) });
      });
    await Promise.all([change(a, b), change(b, a)]);
    // Three, unless the second attempt conflicts with the other transaction again.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(await knex('Things').pluck('Size')).toEqual([2, 2]);
  });

  it('notifies listeners when a transaction commits, or says that it cannot', async () => {
    const received: string[] = [];
    const listening = await opened.database.listen(
      'runs',
      (payload) => received.push(payload),
      () => {},
    );
    if (!listening) return expect(dialect.name).toBe('mssql');
    await knex.transaction(async (trx) => {
      await dialect.notify(trx, 'runs', 'committed');
    });
    const undone = knex.transaction(async (trx) => {
      await dialect.notify(trx, 'runs', 'rolled back');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await dialect.notify(knex, 'runs', 'last');
    while (!received.includes('last')) await pause(5);
    expect(received).toEqual(['committed', 'last']);
    await listening.close();
  });

  it('listens again after its connection was lost, and says so', async () => {
    const back = Promise.withResolvers<void>();
    const received = Promise.withResolvers<string>();
    const listening = await opened.database.listen('lost', received.resolve, back.resolve);
    if (!listening) return expect(dialect.name).toBe('mssql');
    await knex.raw(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'runsheet listener' and datname = current_database()",
    );
    await back.promise;
    await dialect.notify(knex, 'lost', 'again');
    expect(await received.promise).toBe('again');
    await listening.close();
  });

  it('takes all migrations of the program', async () => {
    const fresh = await target.open();
    try {
      expect(await migrateToLatest(fresh.database)).not.toEqual([]);
      expect(await migrateToLatest(fresh.database)).toEqual([]);
    } finally {
      await fresh.drop();
    }
  });
});
