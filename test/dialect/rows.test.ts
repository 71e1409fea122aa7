/** Claiming, locking, writing and deleting rows. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { expect, it } from 'vitest';
import { changeWithChildren } from '#server/queue/change-with-children.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Dialect } from '#server/db/dialect/types.ts';
import { add, names, onEachDatabase, type ThingRow } from './things.ts';

/** More than fit in one statement. */
const manyPairs = Array.from({ length: 30_000 }, (_, A) => ({ A, B: 1, Text: 'x'.repeat(20) }));

onEachDatabase((whenOpen) => {
  let knex: Knex;
  let dialect: Dialect;
  whenOpen((bench) => {
    ({ knex, dialect } = bench);
  });

  const claim = (db: Knex, limit: number): Promise<ThingRow[]> =>
    dialect.claimRows<ThingRow>(db, {
      table: 'Things',
      key: 'Id',
      where: (query) => void query.where('Status', 'Queued'),
      orderBy: [{ column: 'Id' }],
      limit,
      set: { Status: 'PickedUp', Moment: dialect.nowPlus(knex, 30) },
      returning: ['Id', 'Name', 'Status'],
    });

  it('makes a change and inserts its rows, or neither', async () => {
    const [id] = await add(knex, 'parent');
    const change = (Status: string) => (db: Knex) =>
      db('Things').where({ Id: id, Status }).update({ Status: 'Done' }).returning('Id');
    const columns = { Name: 'text', Flag: 'boolean', Size: 'bigint', Status: 'text' } as const;
    const rows = ['a "quoted" \\ text', 'ä\n€ 😀'].map((Name) => ({ Name, Flag: true, Size: 2 ** 40, Status: 'X' }));
    const children = [
      { table: 'Things', columns, rows },
      { table: 'Parts', parentColumn: 'ThingId', columns: {}, rows: [] },
    ];
    expect(await changeWithChildren(knex, change('Other'), children)).toBeUndefined();
    expect(await knex('Things')).toHaveLength(1);
    expect(await changeWithChildren(knex, change('Queued'), children)).toBe(id);
    const found = await knex('Things').where({ Flag: true }).orderBy('Id');
    expect(found.map(({ Name, Size }) => [Name, Size])).toEqual(rows.map(({ Name, Size }) => [Name, Size]));
    await expect(changeWithChildren(knex, change('Done'), children)).rejects.toThrow();
    expect((await knex('Things').where({ Id: id }).first()).Status).toBe('Done');
    const large = [{ table: 'Pairs', columns: { A: 'integer', B: 'integer', Text: 'text' } as const, rows: manyPairs }];
    expect(await changeWithChildren(knex, change('Done'), large)).toBe(id);
    expect(await knex('Pairs')).toHaveLength(manyPairs.length);
  });

  it('answers the last of columns that have one name', async () => {
    await add(knex, 'a');
    const [row] = await knex('Things').select('Id', 'Name', { Id: 'Name' });
    expect(row).toEqual({ Id: 'a', Name: 'a' });
  });

  it('claims rows in their order, up to the limit, and answers them as they are after it', async () => {
    const [first = 0, second = 0] = await add(knex, 'a', 'b', 'c');
    expect(await claim(knex, 2)).toEqual([
      { Id: first, Name: 'a', Status: 'PickedUp' },
      { Id: second, Name: 'b', Status: 'PickedUp' },
    ]);
    expect(names(await claim(knex, 2))).toEqual(['c']);
    expect(await claim(knex, 2)).toEqual([]);
  });

  it('claims no row twice, however many claim at once', async () => {
    await add(knex, ...Array.from({ length: 60 }, (_, index) => `thing ${index}`));
    const claimed: string[] = [];
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (;;) {
          const rows = await claim(knex, 3);
          expect(rows.length).toBeLessThanOrEqual(3);
          claimed.push(...names(rows));
          if (rows.length > 0) continue;
          // Others may hold the last rows for a moment.
          if ((await knex('Things').where('Status', 'Queued')).length === 0) return;
        }
      }),
    );
    expect(claimed).toHaveLength(60);
    expect(new Set(claimed).size).toBe(60);
  });

  it('passes over rows that another transaction holds, or waits for them', async () => {
    const [held = 0] = await add(knex, 'a', 'b');
    const lockAll = (trx: Knex.Transaction, locked: 'wait' | 'skip', limit?: number): Promise<ThingRow[]> =>
      dialect.lockRows<ThingRow>(trx, {
        table: 'Things',
        columns: ['Name'],
        where: (query) => void query.where('Status', 'Queued'),
        orderBy: [{ column: 'Id' }],
        limit,
        locked,
      });
    let waited: Promise<ThingRow[]> | undefined;
    let settled = false;
    await knex.transaction(async (trx) => {
      expect(names(await lockAll(trx, 'wait', 1))).toEqual(['a']);
      expect(names(await knex.transaction((other) => lockAll(other, 'skip')))).toEqual(['b']);
      expect(names(await claim(knex, 1))).toEqual(['b']);
      waited = knex.transaction((other) => lockAll(other, 'wait'));
      void waited.finally(() => {
        settled = true;
      });
      await trx('Things').where('Id', held).update({ Name: 'changed' });
      await pause(100);
      expect(settled).toBe(false);
    });
    expect(names(await waited)).toEqual(['changed']);
  });

  it('inserts or updates by key, also when several do so at once', async () => {
    const upsert = (rows: { A: number; B: number; Text: string | null }[], update: string[]): Promise<void> =>
      dialect.upsert(knex, { table: 'Pairs', rows, key: ['A', 'B'], update });
    await upsert([{ A: 1, B: 1, Text: 'one' }], ['Text']);
    await upsert([{ A: 1, B: 1, Text: 'changed' }, { A: 1, B: 2, Text: null }], ['Text']); // oxfmt-ignore
    await upsert([{ A: 1, B: 1, Text: 'ignored' }], []);
    expect(await knex('Pairs').orderBy(['A', 'B'])).toEqual([
      { A: 1, B: 1, Text: 'changed' },
      { A: 1, B: 2, Text: null },
    ]);
    await Promise.all(Array.from({ length: 8 }, (_, index) => upsert([{ A: 9, B: 9, Text: `${index}` }], ['Text'])));
    expect(await knex('Pairs').where('A', 9)).toHaveLength(1);
  });

  it('deletes in chunks, passing over what is held', async () => {
    const [held = 0] = await add(knex, 'a', 'b', 'c', 'd');
    const chunk = (): Promise<number> =>
      dialect.deleteChunk(knex, {
        table: 'Things',
        key: 'Id',
        where: (query) => void query.where('Status', 'Queued'),
        limit: 2,
      });
    await knex.transaction(async (trx) => {
      await trx('Things').where('Id', held).update({ Flag: true });
      expect([await chunk(), await chunk(), await chunk()]).toEqual([2, 1, 0]);
    });
    expect(await chunk()).toBe(1);
  });

  it('writes more rows than a statement takes', async () => {
    const rows = Array.from({ length: 25_000 }, (_, index) => ({ A: index, B: 0, Text: 'x' }));
    await inTransaction(knex, (trx) => inRows(trx, rows, (part) => trx('Pairs').insert(part)));
    expect(await knex('Pairs').count({ Count: '*' })).toEqual([{ Count: 25_000 }]);
  });
});
