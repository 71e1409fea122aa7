/**
 * Tests timestamps and dates with microseconds as outputs of procedures. The outputs are dates; the exact text is in
 * the log, or in a column of type Text.
 */
import { describe, expect } from 'vitest';
import { withProcedurePortal } from '#test/support/fixtures/procedure-portal.ts';
import { fromSerial } from '#shared/codecs/serial-date.ts';

const SQL = {
  pg: [
    `create procedure seen_at(inout at timestamp default '2026-01-05 10:00:00.123456', inout moment timestamptz default '2026-01-05 23:59:59.9999999+00') language plpgsql as
      $$ begin at := at; end $$`,
    `create function days_seen() returns table (item int, at timestamp) language sql as
      $$ select n, timestamp '2026-01-05 10:00:00.000001' + n * interval '1 second' from generate_series(1, 3) n
         union all select 4, timestamp 'infinity' $$`,
    `create function part_of(at timestamp) returns text language sql as $$ select at::text $$`,
  ],
  mssql: [
    `create procedure seen_at @at datetime2(6) = '2026-01-05T10:00:00.123456' output, @moment datetime2(6) = '2026-01-05T23:59:59.999999' output as set @at = @at`,
    `create procedure days_seen as select item, convert(datetime2(6), at) as at from (values (1, '2026-01-05T10:00:01.000001'),
      (2, '2026-01-05T10:00:02.000001'), (3, '2026-01-05T10:00:03.000001')) v (item, at)`,
  ],
};

const it = withProcedurePortal(SQL);
const MICROSECOND = 1 / 86_400e6;

describe('a date with microseconds', () => {
  it('is a date, and the log has its exact text', async ({ portal }) => {
    const { Status, outputs, log } = await portal.run(await portal.create('seen_at'));
    expect(Status).toBe('Succeeded');
    expect(outputs).toMatchObject({ at: expect.anything(), moment: expect.anything() });
    expect(outputs['at']).toBeTypeOf('number');
    expect(Math.abs((outputs['at'] as number) - (46_027 + (36_000 + 0.123456) / 86_400))).toBeLessThan(MICROSECOND);
    expect(log).toContain(
      '1 value of at: a date with more digits of a second than a serial day holds, 2026-01-05 10:00:00.123456',
    );
  });

  it('in a result is a date in its order, or its exact text where the column is a Text', async ({ portal }) => {
    const activity = await portal.createWithResults('days_seen', {});
    const rows = (await portal.run(activity)).outputs['Result1'] as [number, number | string][];
    const serials = rows.slice(0, 3).map(([, at]) => at as number);
    expect(serials.map((at) => fromSerial(at)!.second)).toEqual([1, 2, 3]);
    if (portal.isPg) expect(rows[3]).toEqual([4, 'infinity']);
    const asTexts = await portal.createWithResults('days_seen', {}, (settings) => {
      const Columns = [
        { Name: 'item', CellUsage: 'Number' as const },
        { Name: 'at', CellUsage: 'Text' as const },
      ];
      settings.Results = [{ DisplayName: '', Columns }];
    });
    const [first] = (await portal.run(asTexts)).outputs['Result1'] as [number, string][];
    expect(first).toEqual([1, '2026-01-05 10:00:01.000001']);
  });

  it('goes into a Date input as the output has it, to the millisecond', async ({ portal, skip }) => {
    if (!portal.isPg) skip('a function that answers a text: PostgreSQL has these');
    const { outputs } = await portal.run(await portal.create('seen_at'));
    const run = await portal.run(await portal.create('part_of'), { at: outputs['at'] });
    expect(run.outputs).toEqual({ ReturnValue: '2026-01-05 10:00:00.123' });
  });
});
