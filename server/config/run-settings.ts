/** Settings for executing runs: which ones, and how many at once. */
import { Type } from 'typebox';
import { EVALUATE_ROWS_MAX } from '#shared/contract/evaluate.ts';
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
  evaluateThreads: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 256,
    group: 'Runs',
    description:
      'Threads of a process that answers requests for the call evaluate, which calculates many rows without runs. Runs and forms have their own. People share them fairly, and one person uses all but one of them at most. 0: half as many as there are processors, and at least one.',
  }),
  evaluateRows: Type.Integer({
    default: 100_000,
    minimum: 1,
    maximum: EVALUATE_ROWS_MAX,
    group: 'Runs',
    description: 'Maximum number of rows of one call of evaluate.',
  }),
  evaluateSeconds: Type.Integer({
    default: 300,
    minimum: 1,
    maximum: 86_400,
    group: 'Runs',
    description: 'A call of evaluate that takes longer than this is ended.',
  }),
};
