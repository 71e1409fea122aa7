/** Tests query pickers with numbers that a double cannot hold exactly. */
import { describe, expect } from 'vitest';
import type { PickerPage, PickerQuery } from '#shared/contract/activities.ts';
import { withProcedurePortal } from '#test/support/fixtures/procedure-portal.ts';
import { settingsOf } from '#test/support/procedure-portal.ts';
import { isOtherMakersServer, NO_CULTURES } from '#test/support/sql-server.ts';

const ROWS = [
  `(1, 12345678901234567.25, 9007199254740993, 0.1)`,
  `(2, 12345678901234567.50, 9007199254740994, 0.30000000000000004)`,
  `(3, 12.50, 7, 1e21)`,
  `(4, 0.01, -5, 0.5)`,
].join(', ');
// Decimals and bigints of SQL Server become texts. PostgreSQL's numeric is unbounded and becomes a number that keeps
// every digit.
const SQL = {
  pg: [
    'create table prices (id int, amount numeric(24,2), big bigint, rate float8)',
    `insert into prices values ${ROWS}`,
    'create table sold (amount text, big text, rate text)',
    `create procedure sell(amount numeric, big bigint, rate float8) language plpgsql as
      $$ begin insert into sold values (amount::text, big::text, rate::text); end $$`,
  ],
  mssql: [
    'create table prices (id int, amount decimal(24,2), big bigint, rate float)',
    ...ROWS.split('), (').map((row) => `insert into prices values (${row.replaceAll(/[()]/g, '')})`),
    'create table sold (amount nvarchar(50), big nvarchar(50), rate float)',
    `create procedure sell @amount decimal(24,2), @big bigint, @rate float as
      insert into sold values (convert(nvarchar(50), @amount), convert(nvarchar(50), @big), @rate)`,
  ],
};

const it = withProcedurePortal(SQL).extend('procedures', { scope: 'file' }, async ({ portal }) => {
  async function pick(name: string, query: PickerQuery): Promise<string[]> {
    const { Id } = activity.Inputs.find(({ Name }) => Name === name)!;
    const { status, body } = await portal.post(`picker/${activity.Id}/${Id}/0`, query);
    expect(body.message ?? '').toBe('');
    expect(status).toBe(200);
    return (body.result as PickerPage).Items.map(({ Value }) => Value);
  }

  const activity = await portal.create('sell', (settings) => {
    for (const name of ['amount', 'big', 'rate']) {
      const parameter = settingsOf(settings, name);
      const Query = `select ${name} from prices`;
      parameter.Pickers = [{ Type: 'Database', PreventOtherValues: true, ConnectionName: 'Shop', Query }];
    }
  });

  return { activity, pick };
});

describe('a list that a query fills', () => {
  it('has every digit of its numbers', async ({ procedures: { pick } }) => {
    expect(await pick('amount', {})).toEqual(['0.01', '12.5', '12345678901234567.25', '12345678901234567.5']);
    expect(await pick('big', {})).toEqual(['-5', '7', '9007199254740993', '9007199254740994']);
    expect(await pick('rate', {})).toEqual(['0.1', '0.30000000000000004', '0.5', '1e+21']);
  });

  it('continues after such a number, and before it', async ({ procedures: { pick } }) => {
    expect(await pick('amount', { Last: '12345678901234567.25', FetchNext: true })).toEqual(['12345678901234567.5']);
    expect(await pick('big', { First: '9007199254740994', FetchPrevious: true })).toEqual([
      '-5',
      '7',
      '9007199254740993',
    ]);
    expect(await pick('rate', { Last: '0.1', FetchNext: true })).toEqual(['0.30000000000000004', '0.5', '1e+21']);
  });

  it('finds such a number, and none where the column can have no such', async ({ procedures: { pick } }) => {
    expect(await pick('amount', { Value: '12345678901234567.25' })).toEqual(['12345678901234567.25']);
    expect(await pick('big', { Value: '9007199254740993' })).toEqual(['9007199254740993']);
    expect(await pick('big', { Value: '9007199254740993.5' })).toEqual([]);
    expect(await pick('big', { Value: '9'.repeat(30) })).toEqual([]);
    expect(await pick('amount', { Value: '9'.repeat(60) })).toEqual([]);
  });

  it('finds a number of floating point by all its digits', async ({ portal, procedures: { pick }, skip }) => {
    if (await isOtherMakersServer(portal.shop.knex)) skip(NO_CULTURES);
    expect(await pick('rate', { Value: '0.30000000000000004' })).toEqual(['0.30000000000000004']);
    expect(await pick('rate', { Value: '1e999' })).toEqual([]);
  });

  it('is what a start looks such numbers up in', async ({ portal, procedures: { activity } }) => {
    const given = { amount: '12345678901234567.25', big: '9007199254740993', rate: 0.5 };
    const run = await portal.run(activity, given);
    expect(run.Status).toBe('Succeeded');
    expect(await portal.shop.knex('sold').pluck('amount')).toEqual(['12345678901234567.25']);
    expect(await portal.shop.knex('sold').pluck('big')).toEqual(['9007199254740993']);
    const refused = await portal.start(activity, { ...given, amount: '12345678901234567.26', big: '9007199254740992' });
    const message = ['Please choose a valid value.'];
    expect([refused.status, refused.body.modelState]).toEqual([400, { amount: message, big: message }]);
  });
});
