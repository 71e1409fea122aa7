/**
 * The sample database of complete portals, over several starts. sample-database.test.ts tests the same with only the
 * parts involved.
 */
import { expect } from 'vitest';
import { withClient } from '#server/db/embedded/provision.ts';
import { test } from '#test/support/fixtures/sample-portal.ts';
import { warnings } from '#test/support/sample-portal.ts';

test('RUNSHEET_SAMPLES=false makes no sample database; the first start without it makes one, and later starts change nothing', async ({
  samplePortals: { start, whileStopped },
}) => {
  const without = await start({ RUNSHEET_SAMPLES: 'false' });
  expect(await without.get('/api/tableviews/tables')).toEqual({ Items: [], Messages: [] });
  await without.stop();
  const databases = async (url: string): Promise<unknown> =>
    withClient({ connectionString: url }, async (client) => {
      const { rows } = await client.query('select datname from pg_database where not datistemplate order by 1');
      return rows.map(({ datname }: { datname: string }) => datname);
    });
  expect(await whileStopped(databases)).toEqual(['postgres', 'runsheet']);

  const first = await start();
  // Whatever exists by then, there are no errors.
  expect(await first.get('/api/tableviews/tables')).toMatchObject({ Messages: [] });
  await first.complete();
  const views = await first.views();
  expect(views.map(({ ConnectionName, TableName, ViewName }) => [ConnectionName, TableName, ViewName])).toEqual([
    ['Samples', 'shop.orders', 'Orders'],
    ['Samples', 'shop.rates', 'Exchange Rates'],
  ]);
  for (const { Id } of views) {
    const page = await first.get<{ Rows: unknown[]; Message: string }>(`/api/tableviews/values/${Id}`, {});
    expect(page).toMatchObject({ Message: '' });
    expect(page.Rows).toHaveLength(100);
  }
  expect(await first.get(`/api/tableviews/count/${views[0]!.Id}`, {})).toMatchObject({ Count: 200_000 });
  expect(await first.procedures()).toEqual(['Import orders', 'Payment reconciliation', 'Revenue by region']);
  expect(warnings(first)).toEqual([]);
  await first.stop();

  await whileStopped((url) =>
    withClient({ connectionString: url }, (client) =>
      client.query(
        `delete from "TableViews"; update "Activities" set "Name" = 'Mine', "NameKey" = 'mine' where "Name" = 'Import orders'`,
      ),
    ),
  );
  const second = await start();
  await second.complete();
  await second.stop();
  expect(second.lines.map(({ msg }) => msg)).not.toContain('filled the sample database');
  expect(warnings(second)).toEqual([]);
  const left = await whileStopped((url) =>
    withClient({ connectionString: url }, async (client) => {
      const names = `select "Name" from "Activities" where "Type" = 'StoredProcedure' order by 1`;
      const [views, activities] = [await client.query('select from "TableViews"'), await client.query(names)];
      return { views: views.rowCount, activities: activities.rows.map(({ Name }: { Name: string }) => Name) };
    }),
  );
  expect(left).toEqual({ views: 0, activities: ['Mine', 'Payment reconciliation', 'Revenue by region'] });
});

test('RUNSHEET_SAMPLES=false shows nothing of a sample database that an earlier start made', async ({
  samplePortals: { start },
}) => {
  const from = await start();
  await from.complete();
  await from.stop();
  const again = await start({ RUNSHEET_SAMPLES: 'false' });
  expect(await again.views()).toEqual([]);
});

test('a connection of the settings with that name stays what it is', async ({ samplePortals: { start } }) => {
  const connections = { samples: { url: 'postgres://nobody@127.0.0.1:1/none' } };
  const portal = await start({ RUNSHEET_CONNECTIONS: JSON.stringify(connections) });
  const { Messages } = await portal.get<{ Messages: string[] }>('/api/tableviews/tables');
  expect(Messages).toEqual([expect.stringContaining("'samples'")]);
  await portal.stop();
  expect(portal.lines.map(({ msg }) => msg)).not.toContain('filled the sample database');
});

test('a portal that is stopped while it fills the sample database makes it whole at the next start', async ({
  samplePortals: { start },
}) => {
  const first = await start();
  await first.stop();
  expect(warnings(first)).toEqual([]);
  const second = await start();
  await second.complete();
  const [orders] = await second.views();
  expect(await second.get(`/api/tableviews/count/${orders!.Id}`, {})).toMatchObject({ Count: 200_000 });
});
