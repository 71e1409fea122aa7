import { expect, it } from 'vitest';
import { sampleCluster, settled } from '#test/support/sample-cluster.ts';
import { until } from '#test/support/until.ts';
import { fillSampleDatabase, provisionSampleDatabase } from './sample-database.ts';

const never = new AbortController().signal;
const cluster = sampleCluster();
const { filling, state } = cluster;

it('the filling of the sample database leaves nothing when PostgreSQL is killed in the middle, and makes all of it afterwards', async () => {
  const first = cluster.server().pid();
  const filled = settled(fillSampleDatabase(cluster.server(), never));
  await filling();
  process.kill(first, 'SIGKILL');
  expect(await filled).toBe('failed');
  const left = await until('PostgreSQL is running again', () => state().catch(() => undefined));
  expect(left).toBe('nothing');
  await provisionSampleDatabase(cluster.server());
  expect(await fillSampleDatabase(cluster.server(), never)).toBe(true);
  expect(await state()).toBe('all');
});
