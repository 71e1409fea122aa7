/** What a step needs to begin, and the result of beginning it. */
import type { Knex } from 'knex';
import type { ChainPlan } from '#shared/rules/chains/types.ts';
import type { ChainContext } from './chain-context.ts';
import type { ChainRow } from './chain-heads.ts';
import type { StepPlaces } from './step-places.ts';

export interface Begun {
  /** Ids of runs that no longer wait for steps. */
  released: number[];
  /** True if more steps may follow immediately. */
  isMore: boolean;
}

/** Begins the step, in the transaction that locks the workflow run and found that the step can begin. */
export type BeginStep = (trx: Knex.Transaction, places: StepPlaces) => Promise<Begun>;

export interface StepContext extends ChainContext {
  chain: ChainRow;
  plan: ChainPlan;
}
