/** Settings for executing runs: which ones, and how many at once. */
import { Type } from 'typebox';
import { DEFAULT_POOL, PoolName } from '#shared/contract/queueing.ts';

export const RUN_SETTINGS = {
  workerPools: Type.Array(PoolName, {
    default: [DEFAULT_POOL],
    minItems: 1,
    maxItems: 30,
    values: 'names of small letters, digits and . _ -, separated by commas',
    group: 'Runs',
    description:
      'Pools whose runs this process carries out. Administrators of users say on the page Edit Activity which pool the runs of an activity need.',
  }),
  runsPerPerson: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 10_000,
    group: 'Runs',
    description:
      'Most runs of one person, or of the visitors of one address, that all servers together carry out at once; the others wait. To be the same on all. 0: as many as there is room for.',
  }),
};
