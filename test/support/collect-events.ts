import type { TestApp } from './app.ts';
import { until } from './until.ts';

/**
 * Collects what has happened since the last time.
 * @param name of the cursor that `collect` moves on
 */
export async function collectEvents(
  { database, outgoing }: Pick<TestApp, 'database' | 'outgoing'>,
  name: 'alerts' | 'webhooks',
  collect: () => Promise<unknown> = () => outgoing.collect(),
): Promise<void> {
  const cursorTime = async (): Promise<number> => {
    const row = (await database.knex('EventCursors').where('Name', name).first('Time')) as { Time: Date } | undefined;
    return row?.Time.getTime() ?? 0;
  };
  const before = await cursorTime();
  // SQL Server has application locks per database (sp_getapplock); Babelfish 4.4 has them per server, and another suite
  // may hold the lock.
  await until('it is this portal that looks', async () => {
    await collect();
    return (await cursorTime()) > before;
  });
}
