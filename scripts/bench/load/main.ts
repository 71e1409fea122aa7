/**
 * Measures the throughput of an installation with several servers, as ratios within one run:
 *
 *   npm run load -- --servers 1,2,4 --clients 1,20,100 --mixes no-op,rows,crowd --seconds 20
 *
 * Each line is one measurement, after `--warm` seconds of the same load. `--s3` stores files in a bucket instead of a
 * folder. `--kill` kills one of several servers in the middle of each measurement. Exits with 1 if a run whose start
 * was confirmed did not end.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { percentile } from '../measure.ts';
import { runClients, startCrowd, type Measured } from './clients.ts';
import { CROWD, MIXES, prepareMix, type Mix, type Work } from './mixes.ts';
import { startInstallation, type Installation } from './servers.ts';

const { values: options } = parseArgs({
  options: {
    servers: { type: 'string', default: '1,2,4' },
    clients: { type: 'string', default: '1,20,100,500' },
    mixes: { type: 'string', default: MIXES.join(',') },
    seconds: { type: 'string', default: '20' },
    warm: { type: 'string', default: '5' },
    crowd: { type: 'string', default: String(CROWD) },
    kill: { type: 'boolean', default: false },
    s3: { type: 'boolean', default: false },
  },
});
const numbersOf = (list: string): number[] => list.split(',').map(Number);
const SECONDS = Number(options.seconds);
const WARM_SECONDS = Number(options.warm);
const END_LIMIT_MS = 120_000;

interface Result {
  servers: number;
  mix: Mix;
  clients: number;
  perSecond: number;
  line: string;
  lost: number;
}

const cpuOf = async ({ servers }: Installation): Promise<number[]> =>
  Promise.all(servers.map((server) => server.cpuSeconds()));

async function transactionsOf({ database }: Installation): Promise<number> {
  const row = (await database
    .knex('pg_stat_database')
    .whereRaw('?? = current_database()', ['datname'])
    .first({ Count: 'xact_commit' })) as { Count: string };
  return Number(row.Count);
}

async function measure(
  installation: Installation,
  work: Work,
  { mix, clients }: { mix: Mix; clients: number },
): Promise<Result> {
  const { servers, database } = installation;
  const other = { ...installation, headers: installation.otherHeaders };
  const warm = await runClients(other, work, { clients, seconds: WARM_SECONDS, isWaiting: true });
  // The database does this automatically within minutes. Until then, a new table has the plans of an empty one.
  await database.knex.raw('analyze');
  const before = await countersOf(installation);
  const [{ Last }] = (await database.knex('ActivityRuns').max({ Last: 'Id' })) as [{ Last: string | null }];
  const victim = options.kill && servers.length > 1 ? servers.findLast(({ isAlive }) => isAlive) : undefined;
  const killing = pause((SECONDS * 1000) / 2).then(() => victim?.kill());
  const crowd = mix === 'crowd' ? await startCrowd(installation, work, Number(options.crowd)) : new Set<number>();
  const isWaiting = mix !== 'unwaited';
  const startedAt = performance.now();
  const measured = await runClients(other, work, { clients, seconds: SECONDS, isWaiting });
  await killing;
  if (!isWaiting) await allEnded(installation);
  const seconds = isWaiting ? SECONDS : (performance.now() - startedAt) / 1000;
  const after = await countersOf(installation);
  const done = measured.times.length + measured.others;
  const cpu = after.cpu.reduce((sum, now, at) => sum + (Number.isNaN(now) ? 0 : now - before.cpu[at]!), 0);
  const perDone = (spent: number): string => ((spent * 1000) / done).toFixed(1);
  const lost = await countLost(installation, [...warm.acknowledged, ...measured.acknowledged, ...crowd]);
  const inside = await timesInside(installation, Number(Last ?? 0));
  const perRun =
    mix === 'crowd'
      ? ''
      : `, ${perDone(cpu)} ms of processor, ${perDone(after.databaseCpu - before.databaseCpu)} ms of the database's, ${perDone(after.ownCpu - before.ownCpu)} of the clients' and ${((after.transactions - before.transactions) / done).toFixed(1)} transactions a run`;
  return {
    servers: servers.length,
    mix,
    clients,
    perSecond: measured.times.length / seconds,
    lost,
    line: `${timesText(measured)}; ${inside}${perRun}${victim ? `; one server was killed: ${measured.others} runs abandoned, ${measured.repeated} calls repeated` : ''}`,
  };
}

async function countersOf(installation: Installation) {
  const cpu = await cpuOf(installation);
  const own = process.cpuUsage();
  return {
    cpu,
    ownCpu: (own.user + own.system) / 1e6,
    databaseCpu: await installation.databaseCpuSeconds(),
    transactions: await transactionsOf(installation),
  };
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const timesText = ({ times }: Measured): string =>
  `p50 ${ms(percentile(times, 50))}, p95 ${ms(percentile(times, 95))}, p99 ${ms(percentile(times, 99))}`;

/** Waits until all runs have ended, at most END_LIMIT_MS. */
async function allEnded({ database: { knex } }: Installation): Promise<void> {
  const until = performance.now() + END_LIMIT_MS;
  while (performance.now() < until) {
    if (!(await knex('ActivityRuns').whereIn('Status', PENDING_STATUSES).first('Id'))) return;
    await pause(50);
  }
}

/** Returns the number of runs whose start was confirmed but that are missing or do not end. */
async function countLost(installation: Installation, ids: readonly number[]): Promise<number> {
  await allEnded(installation);
  const { knex } = installation.database;
  const ended = new Set(
    ((await knex('ActivityRuns').whereNotNull('EndTime').pluck('Id')) as (number | string)[]).map(Number),
  );
  return ids.filter((id) => !ended.has(id)).length;
}

/** Describes the time that runs spent in the queue and in execution, by the database clock. */
async function timesInside({ database: { knex } }: Installation, after: number): Promise<string> {
  const rows = (await knex('ActivityRuns')
    .where('Id', '>', after)
    .where('Status', 'Succeeded')
    .select('QueueTime', 'PickupTime', 'EndTime')) as Record<'QueueTime' | 'PickupTime' | 'EndTime', Date>[];
  const waited = rows.map(({ QueueTime, PickupTime }) => PickupTime.getTime() - QueueTime.getTime());
  const own = rows.map(({ PickupTime, EndTime }) => EndTime.getTime() - PickupTime.getTime());
  const whole = rows.map(({ QueueTime, EndTime }) => EndTime.getTime() - QueueTime.getTime());
  const points = [50, 95, 99].map((point) => `p${point} ${ms(percentile(whole, point))}`);
  return `stored to ended ${points.join(', ')}, of which waited p95 ${ms(percentile(waited, 95))}, own p95 ${ms(percentile(own, 95))}`;
}

console.log(
  `${availableParallelism()} processors (${cpus()[0]?.model.trim()}), load ${loadavg()[0]!.toFixed(1)}, ${SECONDS} s each, files in a ${options.s3 ? 'bucket' : 'folder'}\n`,
);
const results: Result[] = [];
for (const mix of options.mixes.split(',') as Mix[]) {
  if (!MIXES.includes(mix)) throw new Error(`there is no mix ${mix}; choose from ${MIXES.join(', ')}`);
  for (const servers of numbersOf(options.servers)) {
    for (const clients of mix === 'crowd' ? [1] : numbersOf(options.clients)) {
      // Each measurement has a new installation, so that runs of earlier measurements do not affect it.
      const installation = await startInstallation(servers, options.s3);
      try {
        const result = await measure(installation, await prepareMix(installation, mix), { mix, clients });
        const one = results.find((earlier) => earlier.mix === mix && earlier.clients === clients);
        const ratio = one ? `, ${(result.perSecond / one.perSecond).toFixed(2)} × that of ${one.servers}` : '';
        console.log(
          `${mix}, ${servers} servers, ${clients} clients: ${result.perSecond.toFixed(1)} runs/s${ratio}; ${result.line}; lost ${result.lost}`,
        );
        results.push(result);
      } finally {
        await installation.stop();
      }
    }
  }
}
if (results.some(({ lost }) => lost > 0)) process.exitCode = 1;
