/** What a step that begins is given, and what becomes of it. */
import type { Knex } from 'knex';
import type { ChainPlan } from '#shared/rules/chains/types.ts';
import type { ChainContext } from './chain-context.ts';
import type { ChainRow } from './chain-heads.ts';
import type { StepPlaces } from './step-places.ts';

export interface Begun {
  /** Runs that wait for no step any more. */
  released: number[];
  /** Whether more may follow at once. */
  isMore: boolean;
}

/** Makes it true in the transaction that holds the chain, in which the step was found to begin. */
export type BeginStep = (trx: Knex.Transaction, places: StepPlaces) => Promise<Begun>;

export interface StepContext extends ChainContext {
  chain: ChainRow;
  plan: ChainPlan;
}
