/**
 * An installation is upgraded server by server, under load: servers of the version before and of the next one are at work on the same
 * database. RUNSHEET_FAULT_OLDER names the server/main.ts of another checkout, which is then the version before, and this one the next.
 */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { UPGRADE_UNDER_WAY } from '#server/features/system/upgrade-guard.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { pino } from 'pino';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, untilNothingPending } from './check-runs.ts';
import { cleanUp, launch, publish, temporaryDatabase, temporaryFolder } from './fault-bench.ts';
import { doublingWorkbook, startLoad } from './load.ts';
import { portalClient } from './portal-client.ts';
import type { ServerProcess } from './server-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OLDER = process.env['RUNSHEET_FAULT_OLDER'];
const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());

/** Only adds, as migrations do that are run beside servers of the version before. */
const ADDING = `export async function up(knex: any): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t: any) => {
    t.string('NextNote', 20).notNullable().defaultTo('none');
  });
  await knex.schema.alterTable('ActivityRuns', (t: any) => t.index(['NextNote', 'Id'], 'IX_ActivityRuns_NextNote'));
  await knex.schema.createTable('NextThings', (t: any) => {
    t.bigInteger('RunId').references('Id').inTable('ActivityRuns').onDelete('CASCADE');
  });
}
export async function down(): Promise<void> {}
`;
/** Takes away what servers of the version before could read. */
const RENAMING = `export const needsStandstill = true;
export async function up(knex: any): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t: any) => t.renameColumn('NextNote', 'NextText'));
}
export async function down(): Promise<void> {}
`;

/** This program as a later version of it: with that number, and further migrations. Answers what starts it. */
async function laterVersion(version: string, migrations: Record<string, string>): Promise<string[]> {
  const folder = join(await temporaryFolder(), 'program');
  await mkdir(folder);
  for (const part of ['server', 'shared', 'migrations'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const about = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as object;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...about, version }));
  for (const [name, text] of Object.entries(migrations))
    await writeFile(join(folder, 'migrations', `${name}.ts`), text);
  return [join(folder, 'server', 'main.ts')];
}

/** With the tables of the version before. */
async function databaseOfOlder(): Promise<Database & { url: string }> {
  if (OLDER === undefined) return temporaryDatabase();
  const server = await startEmbeddedPostgres(await temporaryFolder(), pino({ level: 'silent' }));
  cleanUp(() => server.stop());
  const database = createDatabase({ url: server.url });
  cleanUp(() => database.close());
  return { ...database, url: server.url };
}

/** What a start that was refused wrote last. */
async function refusal(server: ServerProcess): Promise<string> {
  const error = await server.start().then(
    () => new Error('it was taken'),
    (refused: Error) => refused,
  );
  return error.message;
}

test(
  `servers are upgraded one after the other under load, and no run is lost, doubled or abandoned (seed ${random.seed})`,
  async () => {
    const database = await databaseOfOlder();
    const { knex } = database;
    const dataDir = await temporaryFolder();
    // Nobody is killed: a lease that ends would be a run that a stop has left.
    const RUNSHEET_LEASE_SECONDS = String(onItsDatabase(10));
    const shared = { RUNSHEET_DATABASE_URL: database.url, RUNSHEET_DATA_DIR: dataDir, RUNSHEET_LEASE_SECONDS };
    const next = OLDER === undefined ? await laterVersion('98.0.0', { '9998-adding': ADDING }) : undefined;
    const before = OLDER === undefined ? undefined : [OLDER];
    const older = launch('older', shared, before);
    const olderWorker = launch('older worker', { ...shared, RUNSHEET_ROLE: 'worker' }, before);
    const newer = launch('newer', shared, next);
    const portals = [older, newer];
    await older.start();
    await olderWorker.start();
    const { token } = await administratorToken(database);
    const anyOf = (): string | null => {
      const at = portals.flatMap(({ address }) => address ?? []);
      return at.length === 0 ? null : random.pick(at);
    };
    const client = portalClient(anyOf, token);
    const activities = await publish(client);
    const load = startLoad(client, activities, random, 4);
    const succeeded = async () =>
      Number((await knex('ActivityRuns').where({ Status: 'Succeeded' }).count({ Count: '*' }))[0]!['Count']);
    const untilMore = async (runs: number) => {
      const wanted = (await succeeded()) + runs;
      await until(`${runs} more runs have succeeded`, async () => (await succeeded()) >= wanted, onItsDatabase(60_000));
    };
    const workers = (): Promise<string[]> =>
      knex('ActivityRuns').where({ Status: 'Succeeded' }).distinct().pluck('WorkerId');
    /** Results that are kept as deltas, of workers that are not these. */
    const deltasBeside = (others: readonly string[]) =>
      knex('ActivityRuns as R')
        .join('RunOutputs as V', 'V.ActivityRunId', 'R.Id')
        .join('StoredFiles as F', 'F.FileId', 'V.FileId')
        .whereNotIn('R.WorkerId', others)
        .whereNotNull('F.BaseFileId')
        .pluck('F.FileId');
    await untilMore(10);
    // Whose results may be deltas: one that takes its first run only later would be taken for the newer server.
    await until('both of the older ones have carried out runs', async () => (await workers()).length === 2);

    // Both versions side by side: each carries out what it is given, and what the other stored.
    const workersBefore = await workers();
    await newer.start();
    await untilMore(20);
    await until('the newer server has carried out runs, too', async () => {
      return (await workers()).length > workersBefore.length;
    });
    expect(await deltasBeside(workersBefore), 'what the version before does not read').toEqual([]);
    const publishing = portalClient(() => newer.address, token);
    const book = await doublingWorkbook();
    const fields = { Id: '0', Schema: 'General', Name: 'Later', SingleRun: 'false' };
    if (OLDER === undefined)
      await expect(publishing.upload(fields, 'double.xlsx', book)).rejects.toThrow(UPGRADE_UNDER_WAY);

    // The older ones leave in good order; one that comes back is refused.
    await olderWorker.stop();
    await untilMore(5);
    await older.stop();
    await untilMore(5);
    await until('results are kept as deltas again', async () => (await deltasBeside(workersBefore)).length > 0);
    expect(await refusal(older)).toContain('made by a newer version of Runsheet');
    await until('it publishes once they are gone', () =>
      publishing.upload(fields, 'double.xlsx', book).catch(() => false),
    );

    if (OLDER === undefined) {
      // What the newer one could not go on after waits for it to leave.
      const last = launch(
        'last',
        shared,
        await laterVersion('99.0.0', { '9998-adding': ADDING, '9999-renaming': RENAMING }),
      );
      const starting = last.start();
      await untilMore(5);
      expect(last.address).toBeNull();
      expect(await knex.schema.hasColumn('ActivityRuns', 'NextNote')).toBe(true);
      portals.push(last);
      await newer.stop();
      await starting;
      expect(await knex.schema.hasColumn('ActivityRuns', 'NextText')).toBe(true);
      await untilMore(5);
    }
    await load.stop();
    await untilNothingPending(knex);
    const counts = await checkRuns(knex, {
      acknowledged: load.acknowledged,
      endedBefore: new Map(),
      files: join(dataDir, 'files'),
    });
    expect(counts['Succeeded']).toBeGreaterThan(40);
    expect(counts['Abandoned']).toBeUndefined();
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  onItsDatabase(180_000),
);
