/**
 * Searches a history for runs that lack a value when almost all runs have one. The peer is the bare statement that only
 * counts all runs.
 */
import type { Activity } from '#shared/contract/activities.ts';
import type { ValueCondition } from '#shared/contract/run-history.ts';
import { compare, type Comparison } from './measure.ts';
import type { BenchPortal } from './portal.ts';

/** Larger than the Id of any existing parameter. */
const OTHER_PARAMETERS = 1_000_000;

/** @param activity activity whose runs all have 42 as input and as output */
export async function benchLacking(portal: BenchPortal, activity: Activity): Promise<Comparison[]> {
  const { knex } = portal.database;
  await addOtherInputs(portal, activity);
  const search = async (condition: Omit<ValueCondition, 'ActivityParameterId' | 'Direction'>): Promise<void> => {
    const Values = [{ ...condition, Direction: 'input', ActivityParameterId: activity.Inputs[0]!.Id }];
    const query = { ActivityId: activity.Id, ApproxRows: 20, PrevRunId: null, Values };
    const { Runs } = await portal.call<{ Runs: unknown[] }>('POST', '/api/activities/runhistory', query);
    // The runs of ownRuns() have no input.
    if (Runs.length === 0) throw new Error('the runs without input are missing');
  };
  const peer = () => knex('ActivityRuns').where('ActivityId', activity.Id).whereNull('InputsPurgedTime').count('*');
  const sides = { peer, target: null, rounds: 10, warmUp: 2 };
  return [
    await compare('"is empty" in a history without such runs but its oldest', {
      ours: () => search({ Operator: 'empty' }),
      ...sides,
    }),
    await compare('"is not" in the same', { ours: () => search({ Operator: '<>', Value: 42 }), ...sides }),
  ];
}

/**
 * Gives two of three runs inputs of other parameters. The database then assumes that many runs probably lack the
 * searched parameter.
 */
async function addOtherInputs({ database: { knex } }: BenchPortal, activity: Activity): Promise<void> {
  await knex.raw(
    `insert into "RunInputs" ("ActivityRunId", "ActivityParameterId", "Value")
     select "Id", ? + n, '"yes"' from "ActivityRuns", generate_series(1, 2) n where "ActivityId" = ? and "Id" % 3 <> 0`,
    [OTHER_PARAMETERS, activity.Id],
  );
  await knex.raw('analyze');
}
