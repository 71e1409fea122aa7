/**
 * Facts that a mail reports about the run that fired an alert: who started it and when, its workflow step, and the
 * error of a failed run.
 */
import { fullName, type NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { readPlan } from '#server/workflows/workflow-plans.ts';
import { listFirstProblems } from '#server/queue/first-problems.ts';
import { FAILED_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import type { AlertSubject } from './alert-audience.ts';
import type { FiringRow } from './alerts-repository.ts';

/** Part of a mail that requires its own rights. */
export interface GuardedText {
  text: string;
  /** Only people who may learn of this subject get the text. */
  subject: AlertSubject;
}

export interface AlertFacts {
  /** Full name; '' if the user no longer exists. */
  starter: string;
  started: Date;
  /** Null while the run is in progress. */
  ended: Date | null;
  step: GuardedText | null;
  error: GuardedText | null;
}

interface RunRow extends NameColumns {
  Id: number;
  UserId: number;
  Status: RunStatus;
  QueueTime: Date;
  EndTime: Date | null;
}

interface ActivityRunRow extends RunRow {
  ActivityId: number;
  ChecklistRunId: number | null;
  StepKey: string | null;
}

interface WorkflowRunRow extends RunRow {
  ChecklistId: number;
  PlanId: number;
}

const ERROR_MAX = 500;
const COLUMNS = ['Id', 'UserId', 'Status', 'QueueTime', 'EndTime'].map((column) => `R.${column}`);
const NAMES = ['U.FirstName', 'U.MiddleName', 'U.LastName'];

const UNWELL: readonly RunStatus[] = [...FAILED_STATUSES, 'NotLicensed'];
const isUnwell = (status: RunStatus): boolean => UNWELL.includes(status);

/** Returns null if the alert is not about a run, or if the run was purged. */
export async function readFacts(
  db: Db,
  { ActivityRunId, ChecklistRunId }: Pick<FiringRow, 'ActivityRunId' | 'ChecklistRunId'>,
): Promise<AlertFacts | null> {
  if (ActivityRunId !== null) return ofActivityRun(db, ActivityRunId);
  return ChecklistRunId === null ? null : readWorkflowRunFacts(db, ChecklistRunId);
}

const factsOf = (run: RunRow) => ({ starter: fullName(run), started: run.QueueTime, ended: run.EndTime });

async function ofActivityRun(db: Db, id: number): Promise<AlertFacts | null> {
  const run = await db('ActivityRuns as R')
    .leftJoin('Users as U', 'U.UserId', 'R.UserId')
    .where('R.Id', id)
    .first<ActivityRunRow | undefined>(...COLUMNS, 'R.ActivityId', 'R.ChecklistRunId', 'R.StepKey', ...NAMES);
  if (!run) return null;
  const workflowRun = run.ChecklistRunId === null ? undefined : await findWorkflowRun(db, run.ChecklistRunId);
  const step = workflowRun && (await stepName(db, workflowRun, run.StepKey));
  return {
    ...factsOf(run),
    step: workflowRun && step ? { text: step, subject: workflowSubject(workflowRun) } : null,
    error: await errorOf(db, run),
  };
}

async function readWorkflowRunFacts(db: Db, id: number): Promise<AlertFacts | null> {
  const workflowRun = await findWorkflowRun(db, id);
  if (!workflowRun) return null;
  const facts = factsOf(workflowRun);
  if (!isUnwell(workflowRun.Status)) return { ...facts, step: null, error: null };
  const run = await firstUnwellRun(db, id);
  if (run) {
    const name = await stepName(db, workflowRun, run.StepKey);
    return {
      ...facts,
      step: name ? { text: name, subject: workflowSubject(workflowRun) } : null,
      error: await errorOf(db, run),
    };
  }
  // Approvals and other steps without a run write to the log of the workflow run.
  const line = await db('ChecklistRunLogEntries').where('ChecklistRunId', id).orderBy('Id').first('StepKey', 'Message');
  const name = line && (await stepName(db, workflowRun, line.StepKey));
  return {
    ...facts,
    step: name ? { text: name, subject: workflowSubject(workflowRun) } : null,
    error: line ? { text: shortened(line.Message), subject: workflowSubject(workflowRun) } : null,
  };
}

async function findWorkflowRun(db: Db, id: number): Promise<WorkflowRunRow | undefined> {
  return db('ChecklistRuns as R')
    .leftJoin('Users as U', 'U.UserId', 'R.UserId')
    .where('R.Id', id)
    .first<WorkflowRunRow | undefined>(...COLUMNS, 'R.ChecklistId', 'R.PlanId', ...NAMES);
}

/** Returns the first run that failed. Steps that were not run because of it come later. */
async function firstUnwellRun(db: Db, ChecklistRunId: number): Promise<ActivityRunRow | undefined> {
  const query = db('ActivityRuns as R')
    .leftJoin('Users as U', 'U.UserId', 'R.UserId')
    .where('R.ChecklistRunId', ChecklistRunId)
    .whereNull('R.NotRunBecause')
    .orderBy([{ column: 'R.EndTime' }, { column: 'R.Id' }]);
  return whereStatus(query, UNWELL, 'R.Status').first<ActivityRunRow | undefined>(
    ...COLUMNS,
    'R.ActivityId',
    'R.ChecklistRunId',
    'R.StepKey',
    ...NAMES,
  );
}

async function stepName(db: Db, { PlanId }: WorkflowRunRow, key: string | null): Promise<string | null> {
  if (key === null) return null;
  const { Graph } = await readPlan(db, PlanId);
  return Graph.Steps.find(({ Key }) => Key === key)?.Name || key;
}

const workflowSubject = ({ ChecklistId, UserId }: WorkflowRunRow): AlertSubject => ({
  ActivityId: null,
  ChecklistId,
  starterId: UserId,
  isOfRun: true,
});

async function errorOf(db: Db, run: ActivityRunRow): Promise<GuardedText | null> {
  if (!isUnwell(run.Status)) return null;
  const text = (await listFirstProblems(db, [run.Id], [])).get(run.Id);
  const { ActivityId, UserId } = run;
  const subject = { ActivityId, ChecklistId: null, starterId: UserId, isOfRun: true };
  return text === undefined ? null : { text: shortened(text), subject };
}

/** Reduces the text to one line. Otherwise text from a workbook or database could pass for other lines of the mail. */
function shortened(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > ERROR_MAX ? `${line.slice(0, ERROR_MAX)} …` : line;
}
