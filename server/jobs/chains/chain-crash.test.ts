/** A server that dies at any statement while it lets a chain go on: what another does then comes to the same. */
import { afterEach, expect, test } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { chainBench } from '#test/support/chain-bench.ts';
import { until } from '#test/support/until.ts';
import { createChainEngine } from './chain-engine.ts';

const chains = chainBench();
const { bench, ran, step, start, ended, states } = chains;
const dying: Database[] = [];
afterEach(() => Promise.all(dying.splice(0).map((database) => database.close())));

/** Carries out so many statements and then loses its connections, in the middle of whatever it does. */
function databaseThatDies(statements: number): Database {
  const database = createDatabase({ url: bench.database.url, poolSize: 2 });
  dying.push(database);
  let count = 0;
  database.knex.on('query', () => {
    if (++count > statements) throw new Error('died');
  });
  return database;
}

/** Answers whether it died. */
async function advanceAndDie(chainId: number, statements: number): Promise<boolean> {
  const database = databaseThatDies(statements);
  // Nobody hears its signals either: they die with it.
  const engine = createChainEngine(chains.engineContext(bench.otherSignals(), database));
  try {
    await engine.advance(chainId);
    return false;
  } catch {
    return true;
  } finally {
    dying.splice(dying.indexOf(database), 1);
    await database.close();
  }
}

const atWork = async (id: number): Promise<number> =>
  (await bench.database.knex('ActivityRuns').where({ ChecklistRunId: id, EndTime: null, WaitsForSteps: false })).length;

test('each step is carried out once, wherever it died', async () => {
  bench.work({ concurrency: 4 });
  chains.fails('x');
  const steps = [
    await step('a'),
    await step('b', ['a']),
    await step('x', ['a'], { OnFailure: 'Handled' }),
    await step('mend', [{ Step: 'x', When: 'failure' }]),
    await step('not', ['x']),
    await step('d', ['b', 'mend']),
  ];
  let deaths = 0;
  for (let statements = 1; ; statements++) {
    ran.length = 0;
    const id = await start(steps);
    let hasDied = false;
    for (let round = 0; round < 4; round++) {
      hasDied = (await advanceAndDie(id, statements)) || hasDied;
      const rescuer = chains.engine();
      await rescuer.advance(id);
      bench.signals.queued();
      await until('what was begun has ended', async () => (await atWork(id)) === 0);
    }
    await chains.engine().sweep();
    expect(await ended(id)).toBe('SucceededWarn');
    expect(ran.toSorted()).toEqual(['a', 'b', 'd', 'mend', 'x']);
    expect(await states(id)).toMatchObject({ not: 'LeftOut', d: 'Succeeded' });
    if (!hasDied) break;
    deaths += 1;
  }
  expect(deaths).toBeGreaterThan(8);
}, 120_000);
