/** Retries many runs, one after the other, each with its own check of rights. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { RetriedRun } from '#shared/contract/run-failures.ts';
import { findRetryOf, retryRun, type RetryDeps } from '../retry-run.ts';

export interface RetryRunsService {
  /** Retries each run that nobody has retried before. A refusal does not prevent the others. */
  retry(person: Person, runIds: readonly number[]): Promise<RetriedRun[]>;
}

export function createRetryRunsService(deps: RetryDeps): RetryRunsService {
  return {
    retry: async (person, runIds) => {
      const results: RetriedRun[] = [];
      for (const Id of runIds) results.push(await retryOnce(deps, person, Id));
      return results;
    },
  };
}

async function retryOnce(deps: RetryDeps, person: Person, Id: number): Promise<RetriedRun> {
  try {
    const made = await retryRun(deps, person, Id, null, { onlyOnce: true });
    return { Id, Outcome: 'Started', NewId: made.Id, Message: '' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'retriedBefore') return { Id, Outcome: 'Refused', NewId: null, Message: error.message };
    return { Id, Outcome: 'AlreadyRetried', NewId: await visibleRetry(deps, person, Id), Message: '' };
  }
}

async function visibleRetry({ database: { knex }, runAccess }: RetryDeps, person: Person, id: number) {
  const retry = await findRetryOf(knex, id);
  if (retry === undefined) return null;
  const found = await runAccess.require(knex, person, retry).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  });
  return found && retry;
}
