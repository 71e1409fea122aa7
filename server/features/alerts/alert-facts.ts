/** What a mail says of the run that an alert fired for: who started it and when, and where it is not well the step and the error. */
import { fullName, type NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { readPlan } from '#server/jobs/chains/chain-plans.ts';
import { listFirstProblems } from '#server/jobs/queue/first-problems.ts';
import { FAILED_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import type { AlertSubject } from './alert-audience.ts';
import type { FiringRow } from './alerts-repository.ts';

/** Part of a mail that has rights of its own. */
export interface GuardedText {
  text: string;
  /** Only who may learn of it reads the text. */
  subject: AlertSubject;
}

export interface AlertFacts {
  /** Full name; '' where the user is gone. */
  starter: string;
  started: Date;
  /** Null while the run goes on. */
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

interface ChainRow extends RunRow {
  ChecklistId: number;
  PlanId: number;
}

const ERROR_MAX = 500;
const COLUMNS = ['Id', 'UserId', 'Status', 'QueueTime', 'EndTime'].map((column) => `R.${column}`);
const NAMES = ['U.FirstName', 'U.MiddleName', 'U.LastName'];

const UNWELL: readonly RunStatus[] = [...FAILED_STATUSES, 'NotLicensed'];
const isUnwell = (status: RunStatus): boolean => UNWELL.includes(status);

/** Null where the alert is of no run, or its run is purged. */
export async function readFacts(
  db: Db,
  { ActivityRunId, ChecklistRunId }: Pick<FiringRow, 'ActivityRunId' | 'ChecklistRunId'>,
): Promise<AlertFacts | null> {
  if (ActivityRunId !== null) return ofActivityRun(db, ActivityRunId);
  return ChecklistRunId === null ? null : ofChainRun(db, ChecklistRunId);
}

const factsOf = (run: RunRow) => ({ starter: fullName(run), started: run.QueueTime, ended: run.EndTime });

async function ofActivityRun(db: Db, id: number): Promise<AlertFacts | null> {
  const run = (await db('ActivityRuns as R')
    .leftJoin('Users as U', 'U.UserId', 'R.UserId')
    .where('R.Id', id)
    .first(...COLUMNS, 'R.ActivityId', 'R.ChecklistRunId', 'R.StepKey', ...NAMES)) as ActivityRunRow | undefined;
  if (!run) return null;
  const chain = run.ChecklistRunId === null ? undefined : await findChain(db, run.ChecklistRunId);
  const step = chain && (await stepName(db, chain, run.StepKey));
  return {
    ...factsOf(run),
    step: chain && step ? { text: step, subject: chainSubject(chain) } : null,
    error: await errorOf(db, run),
  };
}

async function ofChainRun(db: Db, id: number): Promise<AlertFacts | null> {
  const chain = await findChain(db, id);
  if (!chain) return null;
  const facts = factsOf(chain);
  if (!isUnwell(chain.Status)) return { ...facts, step: null, error: null };
  const run = await firstUnwellRun(db, id);
  if (run) {
    const name = await stepName(db, chain, run.StepKey);
    return {
      ...facts,
      step: name ? { text: name, subject: chainSubject(chain) } : null,
      error: await errorOf(db, run),
    };
  }
  // Approvals and other steps that are no runs write into the log of the whole.
  const line = (await db('ChecklistRunLogEntries')
    .where('ChecklistRunId', id)
    .orderBy('Id')
    .first('StepKey', 'Message')) as { StepKey: string | null; Message: string } | undefined;
  const name = line && (await stepName(db, chain, line.StepKey));
  return {
    ...facts,
    step: name ? { text: name, subject: chainSubject(chain) } : null,
    error: line ? { text: shortened(line.Message), subject: chainSubject(chain) } : null,
  };
}

async function findChain(db: Db, id: number): Promise<ChainRow | undefined> {
  return db('ChecklistRuns as R')
    .leftJoin('Users as U', 'U.UserId', 'R.UserId')
    .where('R.Id', id)
    .first(...COLUMNS, 'R.ChecklistId', 'R.PlanId', ...NAMES) as Promise<ChainRow | undefined>;
}

/** The first that went wrong; steps that were not run because of it come after. */
async function firstUnwellRun(db: Db, ChecklistRunId: number): Promise<ActivityRunRow | undefined> {
  const query = db('ActivityRuns as R')
    .leftJoin('Users as U', 'U.UserId', 'R.UserId')
    .where('R.ChecklistRunId', ChecklistRunId)
    .whereNull('R.NotRunBecause')
    .orderBy([{ column: 'R.EndTime' }, { column: 'R.Id' }]);
  return whereStatus(query, UNWELL, 'R.Status').first(
    ...COLUMNS,
    'R.ActivityId',
    'R.ChecklistRunId',
    'R.StepKey',
    ...NAMES,
  ) as unknown as Promise<ActivityRunRow | undefined>;
}

async function stepName(db: Db, { PlanId }: ChainRow, key: string | null): Promise<string | null> {
  if (key === null) return null;
  const { Graph } = await readPlan(db, PlanId);
  return Graph.Steps.find(({ Key }) => Key === key)?.Name || key;
}

const chainSubject = ({ ChecklistId, UserId }: ChainRow): AlertSubject => ({
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

/** One line: what a workbook or a database wrote must not look like other lines of the mail. */
function shortened(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > ERROR_MAX ? `${line.slice(0, ERROR_MAX)} …` : line;
}
