/**
 * Steps that are not runs of an activity. Their states have their own rows, and their results are in the log of the
 * workflow run.
 */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { ChecklistRunStepsRow } from '#server/db/tables.ts';
import { hasSucceeded, LogCategory, type RunStatus } from '#shared/contract/run-status.ts';
import type { NotRunReason, StepKind } from '#shared/rules/workflows/types.ts';
import { NOT_RUN_LINE } from '#server/queue/run-log-lines.ts';
import { REFUSED_CODE } from './step-runs.ts';

type OfStep = Pick<ChecklistRunStepsRow, 'ChecklistRunId' | 'StepKey'>;

export async function insertWorkflowLogLine(
  trx: Knex.Transaction,
  of: { ChecklistRunId: number; StepKey: string | null },
  line: { Message: string; StatusCode: number; Category: number },
): Promise<void> {
  // PostgreSQL cannot store NUL characters in text, which values in the message may contain.
  const Message = line.Message.replaceAll('\0', '');
  await trx('ChecklistRunLogEntries').insert({ ...of, ...line, Message });
}

/** Stores a step that begins and does not end immediately. */
export async function beginOtherStep(
  trx: Knex.Transaction,
  of: OfStep,
  Kind: StepKind,
  more: Record<string, unknown> = {},
): Promise<void> {
  const StartTime = dialectOf(trx).now(trx);
  await trx('ChecklistRunSteps').insert({ ...of, Kind, Status: 'Started', StartTime, ...more });
}

export async function endOtherStep(trx: Knex.Transaction, of: OfStep, Status: RunStatus): Promise<void> {
  const EndTime = dialectOf(trx).now(trx);
  await trx('ChecklistRunSteps')
    .where({ ...of, Status: 'Started' })
    .update({ Status, EndTime });
}

/** Stores a step that begins and ends at once. */
export async function insertEnded(
  trx: Knex.Transaction,
  of: OfStep,
  { Kind, Status, Text, Holds = null }: { Kind: StepKind; Status: RunStatus; Text: string; Holds?: boolean | null },
): Promise<void> {
  const now = dialectOf(trx).now(trx);
  await trx('ChecklistRunSteps').insert({ ...of, Kind, Status, Holds, StartTime: now, EndTime: now });
  const hasFailed = !hasSucceeded(Status);
  await insertWorkflowLogLine(trx, of, {
    Message: Text,
    StatusCode: hasFailed ? REFUSED_CODE : 0,
    Category: hasFailed ? LogCategory.Error : LogCategory.Information,
  });
}

/**
 * Stores a step that is not run. For an approval, also ends a step that has begun but whose decision is no longer
 * needed.
 */
export async function insertNotRun(
  trx: Knex.Transaction,
  of: OfStep,
  { Kind, Because, Text }: { Kind: StepKind; Because: NotRunReason; Text: string },
): Promise<void> {
  const end = { Status: 'Cancelled' as const, NotRunBecause: Because, EndTime: dialectOf(trx).now(trx) };
  const updatedCount = Kind === 'Approval' ? await trx('ChecklistRunSteps').where(of).update(end) : 0;
  if (updatedCount === 0) await trx('ChecklistRunSteps').insert({ ...of, Kind, ...end });
  await insertWorkflowLogLine(trx, of, { ...NOT_RUN_LINE, Message: Text });
}
