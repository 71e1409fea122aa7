/** How steps of each kind begin. What takes time is done before the transaction that makes it true. */
import type { Knex } from 'knex';
import { prepareApproval } from '#server/jobs/approvals/begin-approval.ts';
import type { ActivityStep, ChainPlan, ChainStep } from '#shared/rules/chains/types.ts';
import type { ChainContext, PreparedStep } from './chain-context.ts';
import { prepareDecision } from './begin-decision.ts';
import { prepareForEach } from './begin-for-each.ts';
import type { ChainRow } from './chain-states.ts';
import { missingRow, refuseRun, releaseRun } from './step-runs.ts';
import { readGiven, readStoredInputs } from './step-values.ts';

export interface Begun {
  /** Runs that are in the queue now. */
  queued: number[];
  /** Whether more may follow at once. */
  isMore: boolean;
}

/** Makes it true in the transaction that holds the chain, in which the step was found to begin. */
export type BeginStep = (trx: Knex.Transaction) => Promise<Begun>;

export interface StepContext extends ChainContext {
  chain: ChainRow;
  plan: ChainPlan;
}

export async function prepareBegin(context: StepContext, step: ChainStep): Promise<BeginStep> {
  if (step.Kind === 'Activity') return prepareRun(context, step);
  if (step.Kind === 'Decision') return prepareDecision(context, step);
  if (step.Kind === 'ForEach') return prepareForEach(context, step);
  return prepareApproval(context, step);
}

interface WaitingRow {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  SingleRun: boolean;
}

async function prepareRun(context: StepContext, step: ActivityStep): Promise<BeginStep> {
  const { knex } = context.database;
  const run = (await knex('ActivityRuns')
    .where({ ChecklistRunId: context.chain.Id, StepKey: step.Key, WaitsForSteps: true })
    .first('Id', 'ActivityId', 'ActivityVersion', 'SingleRun')) as WaitingRow | undefined;
  if (!run) return missingRow(context.chain.Id, step.Key);
  const prepared = await prepareInputs(context, step, run);
  return async (trx) => {
    if (prepared.refused !== null) {
      await refuseRun(trx, run.Id, prepared.refused);
      return { queued: [], isMore: true };
    }
    const isReleased = await releaseRun(trx, run, { inputs: prepared.inputs });
    return { queued: isReleased ? [run.Id] : [], isMore: !isReleased };
  };
}

async function prepareInputs(context: StepContext, step: ActivityStep, run: WaitingRow): Promise<PreparedStep> {
  const { database, versions, plan, chain, prepareStep } = context;
  const { knex } = database;
  const { given, issue } = await readGiven({ knex, versions, plan, chainId: chain.Id }, step);
  if (issue !== null) return { refused: issue };
  const stored = given.size === 0 ? [] : await readStoredInputs(knex, run.Id);
  const { ActivityId, ActivityVersion } = run;
  return prepareStep({ UserId: chain.UserId, ActivityId, ActivityVersion, given, stored });
}
