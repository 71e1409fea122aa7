import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { changeWithChildren } from '#server/db/change-with-children.ts';
import { inRows } from '#server/db/in-rows.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { TARGETS } from './targets.ts';
import type { OpenTarget } from './targets.ts';

/** More than one statement takes. */
const manyPairs = Array.from({ length: 30_000 }, (_, A) => ({ A, B: 1, Text: 'x'.repeat(20) }));

interface ThingRow {
  Id: number;
  Name: string;
  Status: string;
}

async function createTables(knex: Knex, types: { timestamp: string; longText: string; bytes: string }): Promise<void> {
  await knex.schema.createTable('Things', (table) => {
    table.bigIncrements('Id');
    table.string('Name', 100).notNullable().unique({ indexName: 'UX_Things_Name' });
    table.string('Status', 20).notNullable().defaultTo('Queued');
    table.boolean('Flag').notNullable().defaultTo(false);
    table.bigInteger('Size');
    table.float('Share', 53);
    table.specificType('Moment', types.timestamp);
    table.timestamp('Made', { useTz: true, precision: 3 }).notNullable().defaultTo(knex.fn.now());
    table.specificType('Info', types.longText);
    table.specificType('Bytes', types.bytes);
  });
  await knex.schema.createTable('Parts', (table) => {
    table.bigIncrements('Id');
    table.bigInteger('ThingId').notNullable();
    table.foreign('ThingId', 'FK_Parts_Things').references('Id').inTable('Things');
  });
  await knex.schema.createTable('Pairs', (table) => {
    table.integer('A').notNullable();
    table.integer('B').notNullable();
    table.string('Text', 50);
    table.primary(['A', 'B'], { constraintName: 'PK_Pairs' });
  });
}

for (const target of TARGETS) {
  if (target.missing) process.stderr.write(`Tests on ${target.name} ${target.missing}\n`);
  describe.skipIf(target.missing)(`on ${target.name}${target.missing ? ` (${target.missing})` : ''}`, () => {
    let opened: OpenTarget;
    let knex: Knex;
    let dialect: OpenTarget['database']['dialect'];

    beforeAll(async () => {
      opened = await target.open();
      ({ knex, dialect } = opened.database);
      await dialect.prepareDatabase(knex);
      await createTables(knex, dialect.types);
    });
    afterAll(() => opened?.drop());
    beforeEach(async () => {
      for (const table of ['Parts', 'Things', 'Pairs']) await knex(table).delete();
    });

    const add = async (...names: string[]): Promise<number[]> => {
      const ids: number[] = [];
      for (const Name of names) {
        const [row] = await knex('Things').insert({ Name }).returning('Id');
        ids.push((row as { Id: number }).Id);
      }
      return ids;
    };
    const names = (rows: unknown): string[] => (rows as ThingRow[]).map((row) => row.Name);
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

    it('gives back values of each type as they were stored', async () => {
      const row = {
        Name: 'Ж 漢字 😀',
        Flag: true,
        Size: 9_007_199_254_740_991,
        Share: 0.1,
        Moment: new Date('2026-03-29T01:30:00.123Z'),
        Info: JSON.stringify({ text: 'x'.repeat(100_000) }),
        Bytes: Buffer.from([0, 1, 255]),
      };
      await knex('Things').insert(row);
      expect(await knex('Things').first(Object.keys(row))).toEqual(row);
      await knex('Things').update({
        Flag: false,
        Size: null,
        Share: null,
        Moment: null,
        Info: null,
        Bytes: dialect.nullBytes(knex),
      });
      expect(await knex('Things').first('Flag', 'Size', 'Share', 'Moment', 'Info', 'Bytes')).toEqual({
        Flag: false,
        Size: null,
        Share: null,
        Moment: null,
        Info: null,
        Bytes: null,
      });
      expect(await knex('Things').where({ Moment: row.Moment })).toEqual([]);
    });

    it('counts and sums in numbers', async () => {
      await add('a', 'b');
      await knex('Things').update({ Size: 5 });
      expect(
        await knex('Things').first(knex.raw('count(*) as ??', ['Count']), knex.raw('sum(??) as ??', ['Size', 'Sum'])),
      ).toEqual({
        Count: 2,
        Sum: 10,
      });
      expect(await knex('Things').update({ Flag: true })).toBe(2);
      expect(await knex('Things').delete()).toBe(2);
    });

    it('tells the time of the database, to the millisecond and in the right zone', async () => {
      const [id] = await add('a');
      await knex('Things')
        .where('Id', id)
        .update({ Moment: dialect.now(knex) });
      const { Moment, Made } = (await knex('Things').first('Moment', 'Made')) as { Moment: Date; Made: Date };
      // The database may lie on another machine; a wrong zone would be out by half an hour at least.
      expect(Math.abs(Moment.getTime() - Date.now())).toBeLessThan(600_000);
      expect(Math.abs(Made.getTime() - Date.now())).toBeLessThan(600_000);
    });

    it('calculates with database time', async () => {
      await add('a');
      await knex('Things').update({ Moment: new Date('2026-01-01T00:00:00.000Z') });
      await knex('Things').update({ Moment: dialect.plusSeconds(knex, 'Moment', 90.5) });
      expect(await knex('Things').pluck('Moment')).toEqual([new Date('2026-01-01T00:01:30.500Z')]);
      // More milliseconds than an int holds.
      await knex('Things').update({ Moment: dialect.plusSeconds(knex, 'Moment', -10_000_000.5) });
      expect(await knex('Things').pluck('Moment')).toEqual([new Date('2025-09-07T06:14:50.000Z')]);

      await knex('Things').update({ Moment: dialect.nowPlus(knex, -100) });
      const row = (await knex('Things').first({ Age: dialect.secondsSince(knex, 'Moment') })) as { Age: number };
      expect(row.Age).toBeGreaterThanOrEqual(99.9);
      expect(row.Age).toBeLessThan(600);
      expect(await knex('Things').where('Moment', '<', dialect.nowPlus(knex, -50)).pluck('Name')).toEqual(['a']);
      expect(await knex('Things').where('Moment', '>', dialect.nowPlus(knex, -50))).toEqual([]);
    });

    it('finds text without regard to case, and takes wildcards literally', async () => {
      await add('Loan', 'loan 50%', 'a_b', 'axb', 'a[x]b', 'bang!', 'ÄRGER');
      const search = async (text: string): Promise<string[]> =>
        names(
          await knex('Things')
            .whereRaw(dialect.contains(knex, 'Name', text))
            .orderBy('Id'),
        );
      expect(await search('LOAN')).toEqual(['Loan', 'loan 50%']);
      expect(await search('0%')).toEqual(['loan 50%']);
      expect(await search('a_b')).toEqual(['a_b']);
      expect(await search('[x]')).toEqual(['a[x]b']);
      expect(await search('!')).toEqual(['bang!']);
      expect(await search('ärg')).toEqual(['ÄRGER']);
      expect(
        names(
          await knex('Things')
            .whereRaw(dialect.startsWith(knex, 'Name', 'L'))
            .orderBy('Id'),
        ),
      ).toEqual(['Loan', 'loan 50%']);
    });

    it('orders text as people do', async () => {
      await add('b', 'A', 'a2', 'C');
      const ordered = async (direction: 'asc' | 'desc'): Promise<string[]> =>
        names(await knex('Things').orderByRaw(dialect.orderIgnoringCase(knex, 'Name', direction)));
      expect(await ordered('asc')).toEqual(['A', 'a2', 'b', 'C']);
      expect(await ordered('desc')).toEqual(['C', 'b', 'a2', 'A']);
    });

    it('joins to each row what a query finds for it', async () => {
      const [first, second] = await add('first', 'second');
      await knex('Parts').insert([{ ThingId: first }, { ThingId: first }]);
      const newest = (await knex('Parts').max({ Id: 'Id' }))[0]!.Id;
      const each = knex('Parts as P')
        .whereRaw('?? = ??', ['P.ThingId', 'T.Id'])
        .orderBy('P.Id', 'desc')
        .limit(1)
        .select('P.Id as PartId');
      const query = knex('Things as T').orderBy('T.Id').select('T.Id', 'N.PartId');
      dialect.leftJoinEach(query, each, 'N');
      expect(await query).toEqual([
        { Id: first, PartId: newest },
        { Id: second, PartId: null },
      ]);
    });

    it('makes a change and inserts its rows, or neither', async () => {
      const [id] = await add('parent');
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
      const large = [
        { table: 'Pairs', columns: { A: 'integer', B: 'integer', Text: 'text' } as const, rows: manyPairs },
      ];
      expect(await changeWithChildren(knex, change('Done'), large)).toBe(id);
      expect(await knex('Pairs')).toHaveLength(manyPairs.length);
    });

    it('reads inside JSON text', async () => {
      await add('a', 'b');
      await knex('Things')
        .where('Name', 'a')
        .update({ Info: JSON.stringify({ 'x y': { Width: 7 }, On: true }) });
      const rows = await knex('Things')
        .orderBy('Id')
        .select({
          Width: dialect.jsonText(knex, 'Info', ['x y', 'Width']),
          On: dialect.jsonText(knex, 'Info', ['On']),
          None: dialect.jsonText(knex, 'Info', ['None']),
        });
      expect(rows).toEqual([
        { Width: '7', On: 'true', None: null },
        { Width: null, On: null, None: null },
      ]);
    });

    it('claims rows in their order, up to the limit, and answers them as they are after it', async () => {
      const [first = 0, second = 0] = await add('a', 'b', 'c');
      expect(await claim(knex, 2)).toEqual([
        { Id: first, Name: 'a', Status: 'PickedUp' },
        { Id: second, Name: 'b', Status: 'PickedUp' },
      ]);
      expect(names(await claim(knex, 2))).toEqual(['c']);
      expect(await claim(knex, 2)).toEqual([]);
    });

    it('claims no row twice, however many claim at once', async () => {
      await add(...Array.from({ length: 60 }, (_, index) => `thing ${index}`));
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
      const [held = 0] = await add('a', 'b');
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
      await upsert([{ A: 1, B: 1, Text: 'changed' }, { A: 1, B: 2, Text: null }], ['Text']); // prettier-ignore
      await upsert([{ A: 1, B: 1, Text: 'ignored' }], []);
      expect(await knex('Pairs').orderBy(['A', 'B'])).toEqual([
        { A: 1, B: 1, Text: 'changed' },
        { A: 1, B: 2, Text: null },
      ]);
      await Promise.all(Array.from({ length: 8 }, (_, index) => upsert([{ A: 9, B: 9, Text: `${index}` }], ['Text'])));
      expect(await knex('Pairs').where('A', 9)).toHaveLength(1);
    });

    it('deletes in chunks, passing over what is held', async () => {
      const [held = 0] = await add('a', 'b', 'c', 'd');
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

    it('tells what a refused statement means', async () => {
      await add('a');
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

    it('runs a transaction again when it was the victim of a deadlock', async () => {
      const [a = 0, b = 0] = await add('a', 'b');
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
      expect(runs).toBe(3);
      expect(await knex('Things').pluck('Size')).toEqual([2, 2]);
    });

    it('tells listeners when a transaction commits, or says that it cannot', async () => {
      const heard: string[] = [];
      const listening = await opened.database.listen(
        'runs',
        (payload) => heard.push(payload),
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
      while (!heard.includes('last')) await pause(5);
      expect(heard).toEqual(['committed', 'last']);
      await listening.close();
    });

    it('listens again after its connection was lost, and says so', async () => {
      const back = Promise.withResolvers<void>();
      const heard = Promise.withResolvers<string>();
      const listening = await opened.database.listen('lost', heard.resolve, back.resolve);
      if (!listening) return expect(dialect.name).toBe('mssql');
      await knex.raw(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'runsheet listener' and datname = current_database()",
      );
      await back.promise;
      await dialect.notify(knex, 'lost', 'again');
      expect(await heard.promise).toBe('again');
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
}
