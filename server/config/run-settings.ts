/** Settings for executing runs: which ones, and how many at once. */
import { Type } from 'typebox';
import { DEFAULT_POOL, PoolName } from '#shared/contract/queueing.ts';

export const RUN_SETTINGS = {
  workerPools: Type.Array(PoolName, {
    default: [DEFAULT_POOL],
    minItems: 1,
    maxItems: 30,
    values: 'names of lowercase letters, digits and . _ -, separated by commas',
    group: 'Runs',
    description:
      'Pools whose runs this process executes. Administrators of users choose on the page Edit Activity which pool the runs of an activity need.',
  }),
  runsPerPerson: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 10_000,
    group: 'Runs',
    description:
      'Maximum number of runs of one person, or of the visitors of one address, that all servers together execute at the same time; the others wait. Set the same value on all servers. 0: no limit besides the capacity of the workers.',
  }),
};
