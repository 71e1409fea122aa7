/**
 * Handles open approvals that need attention. Approvals past their expiry time by the database clock expire. Approvals
 * with too few people left to decide fail. People who have not decided are reminded.
 */
import type { Knex } from 'knex';
import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { lockWorkflowRun } from '#server/workflows/advance-workflow-run.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { insertMails } from './approval-mails.ts';
import { findApproval } from './approval-rows.ts';
import { approvers, ruleOf } from './approvers.ts';
import { expireApproval } from './end-approval.ts';
import { failLostApproval, lostApprovals } from './lost-approvers.ts';

const PAGE = 100;

type DueColumn = 'ExpiryTime' | 'RemindTime';

/** Selects open approvals whose expiry or reminder time has passed. */
export function dueApprovals(db: Knex, column: DueColumn): Knex.QueryBuilder {
  const query = whereStatus(db('Approvals'), ['Open']).where(column, '<=', dialectOf(db).now(db));
  if (column === 'RemindTime') void query.whereNull('RemindedTime');
  return query;
}

export async function isExpired(trx: Knex.Transaction, Id: number): Promise<boolean> {
  return (await dueApprovals(trx, 'ExpiryTime').where({ Id }).first('Id')) !== undefined;
}

/**
 * Handles all due approvals. Several servers may run this at once: each approval ends once, and each person is reminded
 * once.
 */
export async function attendToDue(deps: DueDeps, signal?: AbortSignal): Promise<void> {
  await forEachDue(deps, { find: (db) => dueApprovals(db, 'ExpiryTime'), signal, act: expire });
  await forEachDue(deps, { find: lostApprovals, signal, act: failLostApproval });
  await forEachDue(deps, { find: (db) => dueApprovals(db, 'RemindTime'), signal, act: remind });
}

export interface DueDeps {
  database: Pick<Database, 'knex'>;
  signals: Pick<RunSignals, 'stepEnded'>;
  log: Log;
}

interface Attending {
  find: (db: Knex) => Knex.QueryBuilder;
  signal: AbortSignal | undefined;
  /** Returns true if this ended the approval. */
  act: (trx: Knex.Transaction, id: number) => Promise<boolean>;
}

/**
 * Handles each approval in its own transaction, which locks the workflow run. If one approval fails, the others are
 * still handled.
 */
async function forEachDue({ database, signals, log }: DueDeps, { find, signal, act }: Attending): Promise<void> {
  const { knex } = database;
  for (let after: number | null = 0; after !== null;) {
    if (signal?.aborted) return;
    const rows: { Id: number; ChecklistRunId: number }[] = await find(knex)
      .where('Id', '>', after)
      .orderBy('Id')
      .limit(PAGE)
      .select<never>('Id', 'ChecklistRunId');
    for (const { Id, ChecklistRunId } of rows) {
      if (signal?.aborted) return;
      try {
        const hasEnded = await inTransaction(knex, async (trx) => {
          await lockWorkflowRun(trx, ChecklistRunId);
          return act(trx, Id);
        });
        if (hasEnded) signals.stepEnded(ChecklistRunId);
      } catch (err) {
        log.warn({ err, approval: Id }, 'could not process an approval that is due; trying again');
      }
    }
    after = rows.length < PAGE ? null : rows.at(-1)!.Id;
  }
}

async function expire(trx: Knex.Transaction, id: number): Promise<boolean> {
  const approval = (await isExpired(trx, id)) ? await findApproval(trx, id) : undefined;
  if (!approval) return false;
  await expireApproval(trx, approval);
  return true;
}

/** Reminds the people who may decide and have not. */
async function remind(trx: Knex.Transaction, Id: number): Promise<boolean> {
  const reminded = await dueApprovals(trx, 'RemindTime')
    .where({ Id })
    .update({ RemindedTime: dialectOf(trx).now(trx) });
  if (reminded === 0) return false;
  const decided = trx('ApprovalDecisions').where({ ApprovalId: Id }).select('UserId');
  const people = approvers(trx, await ruleOf(trx, Id)).whereNotIn('U.UserId', decided);
  await insertMails(trx, Id, 'Reminder', (await people.pluck('U.UserId')) as number[]);
  return false;
}
