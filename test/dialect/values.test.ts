/** Reading and searching values, times and texts. */
import { ESCAPED_WILDCARDS, isOtherMakersServer } from '#test/support/sql-server.ts';
import type { Knex } from 'knex';
import { expect, it } from 'vitest';
import type { Dialect } from '#server/db/dialect/types.ts';
import { add, names, onEachDatabase } from './things.ts';

onEachDatabase((whenOpen) => {
  let knex: Knex;
  let dialect: Dialect;
  whenOpen((bench) => {
    ({ knex, dialect } = bench);
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
    await add(knex, 'a', 'b');
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

  it('returns the time of the database, to the millisecond and in the right zone', async () => {
    const [id] = await add(knex, 'a');
    await knex('Things')
      .where('Id', id)
      .update({ Moment: dialect.now(knex) });
    const { Moment, Made } = (await knex('Things').first('Moment', 'Made')) as { Moment: Date; Made: Date };
    // The database may be on another machine; a wrong time zone would differ by at least half an hour.
    expect(Math.abs(Moment.getTime() - Date.now())).toBeLessThan(600_000);
    expect(Math.abs(Made.getTime() - Date.now())).toBeLessThan(600_000);
  });

  it('calculates with database time', async () => {
    await add(knex, 'a');
    await knex('Things').update({ Moment: new Date('2026-01-01T00:00:00.000Z') });
    await knex('Things').update({ Moment: dialect.plusSeconds(knex, 'Moment', 90.5) });
    expect(await knex('Things').pluck('Moment')).toEqual([new Date('2026-01-01T00:01:30.500Z')]);
    // More milliseconds than an int can hold.
    await knex('Things').update({ Moment: dialect.plusSeconds(knex, 'Moment', -10_000_000.5) });
    expect(await knex('Things').pluck('Moment')).toEqual([new Date('2025-09-07T06:14:50.000Z')]);

    await knex('Things').update({ Moment: dialect.nowPlus(knex, -100) });
    const row = (await knex('Things').first({ Age: dialect.secondsSince(knex, 'Moment') })) as { Age: number };
    expect(row.Age).toBeGreaterThanOrEqual(99.9);
    expect(row.Age).toBeLessThan(600);
    expect(await knex('Things').where('Moment', '<', dialect.nowPlus(knex, -50)).pluck('Name')).toEqual(['a']);
    expect(await knex('Things').where('Moment', '>', dialect.nowPlus(knex, -50))).toEqual([]);
  });

  it('takes whole numbers of any size', async () => {
    for (const number of [2 ** 53, 1e16, -1e21, 1.5e300, 9_007_199_254_740_991, 0.1]) {
      const [row] = (await knex.select({ found: knex.raw('cast(? as float)', [number]) })) as { found: number }[];
      expect(row!.found).toBe(number);
    }
  });

  it('finds text in lower case as the columns have it', async () => {
    await add(knex, 'info', 'ı', 'i');
    // With a Turkish collation of the database, lower('I') would be ı.
    expect(names(await knex('Things').where('Name', dialect.lower(knex, 'INFO')))).toEqual(['info']);
    expect(names(await knex('Things').where('Name', dialect.lower(knex, 'I')))).toEqual(['i']);
  });

  it('finds text without regard to case, and takes wildcards literally', async (context) => {
    context.skip(await isOtherMakersServer(knex), ESCAPED_WILDCARDS);
    await add(knex, 'Loan', 'loan 50%', 'a_b', 'axb', 'a[x]b', 'bang!', 'ÄRGER');
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
    await add(knex, 'b', 'A', 'a2', 'C');
    const ordered = async (direction: 'asc' | 'desc'): Promise<string[]> =>
      names(await knex('Things').orderByRaw(dialect.orderIgnoringCase(knex, 'Name', direction)));
    expect(await ordered('asc')).toEqual(['A', 'a2', 'b', 'C']);
    expect(await ordered('desc')).toEqual(['C', 'b', 'a2', 'A']);
  });

  it('joins to each row what a query finds for it', async () => {
    const [first, second] = await add(knex, 'first', 'second');
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

  it('reads inside JSON text', async () => {
    await add(knex, 'a', 'b');
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
});
