/**
 * An installation is upgraded server by server under load: servers of the previous and the next version share a
 * database. The full set also has a worker, and a third version that waits until it is alone. RUNSHEET_FAULT_OLDER
 * names the server/main.ts of another checkout, which is then the previous version, and this one the next.
 */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { UPGRADE_UNDER_WAY } from '#server/features/system/upgrade-guard.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { isFullSet, rounds } from '#test/support/test-set.ts';
import { untilProgress } from '#test/support/until.ts';
import { pino } from 'pino';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, untilNothingPending } from './check-runs.ts';
import { postTo } from './check-additional-schedules.ts';
import {
  cleanUp,
  countSucceeded,
  ENDLESS_LEASE,
  eventually,
  launch,
  publish,
  temporaryDatabase,
  temporaryFolder,
  TEST_TIMEOUT_MS,
  untilMoreSucceeded,
} from './fault-bench.ts';
import { doublingWorkbook, startLoad } from './load.ts';
import { portalClient } from './portal-client.ts';
import type { ServerProcess } from './server-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OLDER = process.env['RUNSHEET_FAULT_OLDER'];
const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());

/** Only adds columns, like migrations that run while servers of the previous version are active. */
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
/** Removes a column that servers of the previous version may read. */
const RENAMING = `export const needsStandstill = true;
export async function up(knex: any): Promise<void> {
  await knex.schema.alterTable('ActivityRuns', (t: any) => t.renameColumn('NextNote', 'NextText'));
}
export async function down(): Promise<void> {}
`;

/**
 * Creates a later version of this program, with this number and further migrations. Returns the command that starts it.
 */
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

/** Creates a database with the tables of the previous version. */
async function databaseOfOlder(): Promise<Database & { url: string }> {
  if (OLDER === undefined) return temporaryDatabase();
  const server = await startEmbeddedPostgres(await temporaryFolder(), pino({ level: 'silent' }));
  cleanUp(() => server.stop());
  const database = createDatabase({ url: server.url });
  cleanUp(() => database.close());
  return { ...database, url: server.url };
}

/** Returns the last output of a refused start. */
async function refusal(server: ServerProcess): Promise<string> {
  const error = await server.start().then(
    () => new Error('it was taken'),
    (refused: Error) => refused,
  );
  return error.message;
}

interface DrainingServer {
  IsDraining: boolean;
  Runs: number;
  LastTime: Date;
}

/** Drains a server, as an operator does before a stop, and waits until it executes nothing. */
async function drain({ knex }: Database, post: ReturnType<typeof postTo>, ServerId: string): Promise<void> {
  await post('/api/admin/system/drain', { ServerId, Drain: true });
  await untilProgress(
    'the server is drained',
    async () => (await knex('Servers').where({ ServerId }).first('IsDraining', 'Runs', 'LastTime')) as DrainingServer,
    ({ IsDraining, Runs }) => IsDraining && Runs === 0,
  );
}

/** How long a stop waits for runs before it ends them as Abandoned; see docs/operating.md. */
const STOP_GRACE_MS = 6_000;

interface AbandonedRun {
  Id: number;
  WorkerId: string;
  PickupTime: Date;
  EndTime: Date;
}

/**
 * Returns the runs that no stop may have abandoned: those of drained workers, and those that the stop of another one did
 * not wait for.
 */
async function wronglyAbandoned({ knex }: Database, drained: readonly string[]): Promise<AbandonedRun[]> {
  const abandoned = (await knex('ActivityRuns')
    .where({ Status: 'Abandoned' })
    .select('Id', 'WorkerId', 'PickupTime', 'EndTime')) as AbandonedRun[];
  return abandoned.filter(
    ({ WorkerId, PickupTime, EndTime }) =>
      drained.includes(WorkerId) || EndTime.getTime() - PickupTime.getTime() < STOP_GRACE_MS,
  );
}

test(
  `servers are upgraded one after the other under load, and no run is lost, doubled or abandoned (seed ${random.seed})`,
  async () => {
    const database = await databaseOfOlder();
    const { knex } = database;
    const dataDir = await temporaryFolder();
    // No server is killed; an expired lease would therefore mean that a stop left a run behind.
    const shared = { ...ENDLESS_LEASE, RUNSHEET_DATABASE_URL: database.url, RUNSHEET_DATA_DIR: dataDir };
    const next = OLDER === undefined ? await laterVersion('98.0.0', { '9998-adding': ADDING }) : undefined;
    const before = OLDER === undefined ? undefined : [OLDER];
    const older = launch('older', shared, before);
    const olderWorkers = isFullSet ? [launch('older worker', { ...shared, RUNSHEET_ROLE: 'worker' }, before)] : [];
    const newer = launch('newer', shared, next);
    const portals = [older, newer];
    await older.start();
    for (const worker of olderWorkers) await worker.start();
    const { token } = await administratorToken(database);
    const anyOf = (): string | null => {
      const at = portals.flatMap(({ address }) => address ?? []);
      return at.length === 0 ? null : random.pick(at);
    };
    const client = portalClient(anyOf, token);
    const activities = await publish(client);
    const load = startLoad(client, activities, random, 4);
    const untilMore = (runs: number): Promise<void> => untilMoreSucceeded(load, () => countSucceeded(knex), runs);
    const workers = (): Promise<string[]> =>
      knex('ActivityRuns').where({ Status: 'Succeeded' }).distinct().pluck('WorkerId');
    /** Returns results stored as deltas by workers other than these. */
    const deltasBeside = (others: readonly string[]) =>
      knex('ActivityRuns as R')
        .join('RunOutputs as V', 'V.ActivityRunId', 'R.Id')
        .join('StoredFiles as F', 'F.FileId', 'V.FileId')
        .whereNotIn('R.WorkerId', others)
        .whereNotNull('F.BaseFileId')
        .pluck('F.FileId');
    await untilMore(10);
    // Results of the older servers may be deltas. A server that executes its first run later would be taken for the
    // newer one.
    await untilProgress('the older servers have executed runs', workers, (ids) => ids.length > olderWorkers.length);

    // Both versions run side by side: each executes its own runs and those stored by the other.
    const workersBefore = await workers();
    // In the order in which they stop: the worker before the portal.
    const olderIds = (await knex('Servers').orderBy('Role', 'desc').pluck('ServerId')) as string[];
    await newer.start();
    await untilMore(rounds(10, 40));
    await untilProgress('the newer server has executed runs, too', workers, (ids) => ids.length > workersBefore.length);
    expect(await deltasBeside(workersBefore), 'what the version before does not read').toEqual([]);
    const publishing = portalClient(() => newer.address, token);
    const book = await doublingWorkbook();
    const fields = { Id: '0', Schema: 'General', Name: 'Later', SingleRun: 'false' };
    if (OLDER === undefined)
      await expect(publishing.upload(fields, 'double.xlsx', book)).rejects.toThrow(UPGRADE_UNDER_WAY);

    // The older servers are drained and stop cleanly. An older one that starts again is refused.
    const post = postTo(newer.address!, token);
    for (const [index, server] of [...olderWorkers, older].entries()) {
      await drain(database, post, olderIds[index]!);
      await server.stop();
      await untilMore(5);
    }
    await eventually('results are stored as deltas again', async () => (await deltasBeside(workersBefore)).length > 0);
    expect(await refusal(older)).toContain('made by a newer version of Runsheet');
    await eventually('it publishes once they are gone', () =>
      publishing.upload(fields, 'double.xlsx', book).catch(() => false),
    );

    if (OLDER === undefined && isFullSet) {
      // A version that the newer server is incompatible with waits until that server has stopped.
      const last = launch(
        'last',
        shared,
        await laterVersion('99.0.0', { '9998-adding': ADDING, '9999-renaming': RENAMING }),
      );
      const starting = last.start(true);
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
    expect(counts['Succeeded']).toBeGreaterThan(rounds(20, 60));
    expect(await wronglyAbandoned(database, workersBefore)).toEqual([]);
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);
