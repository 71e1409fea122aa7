/** Decides whether a run meets an alert's condition, and creates the message. */
import type { Log } from '#server/base/log.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { nameKey, type VersionCatalog } from '#server/versions/version-catalog.ts';
import {
  COLUMN_KINDS,
  readCondition,
  type ColumnKind,
  type ConditionColumn,
  type KindValue,
} from '#shared/codecs/condition-columns.ts';
import { createFilter } from '#shared/codecs/condition-filter.ts';
import { ConditionError } from '#shared/codecs/condition.ts';
import type { JsonCell } from '#shared/codecs/format-value.ts';
import { formatSerialDate } from '#shared/codecs/serial-date.ts';
import type { AlertCondition } from '#shared/contract/alerts.ts';
import type { CellUsage, OutputInfo } from '#shared/contract/parameters.ts';
import { hasSucceeded, LogCategory, OUTCOME_TEXT, type RunStatus } from '#shared/contract/run-status.ts';
import type { WatchedRun } from './alerts-repository.ts';

export interface Finding {
  Message: string;
  Category: number;
}

export interface ConditionDeps {
  versions: VersionCatalog;
  log: Log;
  /** Returns the usual duration of an activity's or checklist's runs in seconds; null if there are too few runs. */
  usual: (db: Db, run: WatchedRun, isWorkflowRun: boolean) => Promise<number | null>;
}

/** Number of recent runs that determine the usual duration, and the minimum number needed. */
const MAX_RECENT_RUNS = 50;
const MIN_RECENT_RUNS = 5;
/** The usual duration is this quantile of their durations. */
const SHARE = 0.95;
/** Minimum excess over the usual duration, in seconds; less is noise. */
const MIN_EXCESS_SECONDS = 1;
const SUCCEEDED: RunStatus[] = ['Succeeded', 'SucceededWarn'];

/** Checks a finished run. For a run in progress, it only checks whether the run takes too long. */
export async function judge(
  db: Db,
  deps: ConditionDeps,
  {
    condition,
    run,
    isWorkflowRun,
    now,
  }: { condition: AlertCondition; run: WatchedRun; isWorkflowRun: boolean; now: Date },
): Promise<Finding | null> {
  if (condition.Kind === 'Outcome') return run.EndTime === null ? null : ofOutcome(condition.Statuses, run.Status);
  if (condition.Kind === 'Long') {
    const took = secondsOf(run, isWorkflowRun, now);
    const limit = took === null ? null : await deps.usual(db, run, isWorkflowRun);
    if (took === null || limit === null || took <= condition.Factor * limit || took < limit + MIN_EXCESS_SECONDS)
      return null;
    const goesOn = run.EndTime === null ? 'has been running for' : 'took';
    const Message = `The run ${goesOn} ${duration(took)}; 95% of the last runs took ${duration(limit)} or less`;
    return { Message, Category: LogCategory.Warning };
  }
  if (condition.Kind === 'Value' && !isWorkflowRun && hasSucceeded(run.Status)) {
    return ofValue(db, deps, run, condition.Condition);
  }
  return null;
}

/** Returns what an outcome alert says about a status. */
export function ofOutcome(statuses: readonly RunStatus[], status: RunStatus): Finding | null {
  if (!statuses.includes(status)) return null;
  const isGood = status === 'Succeeded';
  const Category = isGood
    ? LogCategory.Information
    : status === 'SucceededWarn' || status === 'Cancelled'
      ? LogCategory.Warning
      : LogCategory.Error;
  return { Message: OUTCOME_TEXT[status] ?? 'The run has ended', Category };
}

function secondsOf(run: WatchedRun, isWorkflowRun: boolean, now: Date): number | null {
  const start = isWorkflowRun ? run.QueueTime : run.StartTime;
  return start === null ? null : ((run.EndTime ?? now).getTime() - start.getTime()) / 1000;
}

const kindOf = (usage: CellUsage | undefined): ColumnKind => COLUMN_KINDS.find((kind) => kind === usage) ?? 'Text';

/** Returns the outputs that a condition may name, as columns. */
export const conditionColumns = (outputs: readonly { Name: string; Info: OutputInfo }[]) =>
  outputs
    .filter(
      ({ Info }) =>
        Info.RangeType === 'SingleCell' && !['FilePath', 'FileId', 'FolderPath'].includes(Info.CellUsages[0] ?? ''),
    )
    .map(({ Name, Info }) => ({ Name, Kind: kindOf(Info.CellUsages[0]) }));

async function ofValue(
  db: Db,
  { versions, log }: ConditionDeps,
  run: WatchedRun,
  text: string,
): Promise<Finding | null> {
  const version = await versions.get(run.OwnerId, run.ActivityVersion);
  const outputs = version?.outputs ?? [];
  const columns = conditionColumns(outputs);
  const rows = await db('RunOutputs')
    .where('ActivityRunId', run.Id)
    .whereNotNull('ActivityParameterId')
    .whereNull('FileId')
    .select('ActivityParameterId', 'Value');
  const values = new Map(rows.map(({ ActivityParameterId, Value }) => [ActivityParameterId, Value]));
  const cells = new Map(outputs.map(({ Id, Name }) => [nameKey(Name), values.get(Id) ?? null]));
  try {
    const condition = readCondition(text, columns);
    const named: string[] = [];
    const read = (of: typeof cells, { Name, Kind }: ConditionColumn): KindValue => {
      const json = of.get(nameKey(Name)) ?? null;
      const value = json === null ? null : (JSON.parse(json) as JsonCell);
      const shown = `${Name} is ${shownValue(value, Kind)}`;
      if (!named.includes(shown)) named.push(shown);
      // An Excel error compares as blank: it is neither less nor greater than any value.
      return typeof value === 'object' ? null : value;
    };
    if (condition === null || !createFilter<typeof cells>(condition, read)(cells)) return null;
    return { Message: `${text.trim()}: ${named.join(', ')}`, Category: LogCategory.Warning };
  } catch (error) {
    if (!(error instanceof ConditionError))
      log.error({ err: error, run: run.Id }, 'could not evaluate the condition of an alert');
    // The try block makes no database call, so the transaction is still usable. The alert reports the failure instead
    // of staying silent, and other alerts are still evaluated.
    return { Message: `The condition ${text.trim()} can no longer be evaluated`, Category: LogCategory.Error };
  }
}

/** Formats a value with all digits that the condition was evaluated with. Dates are formatted as in the portal. */
function shownValue(value: JsonCell, kind: ColumnKind): string {
  if (value === null || value === '') return 'blank';
  if (typeof value === 'object') return value.error;
  if (kind === 'Date' && typeof value === 'number') return formatSerialDate(value) || String(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

/**
 * Computes the usual duration from the last successful runs: of a run that has ended, those before it; of a run in
 * progress, those until now.
 */
export function createUsual(): ConditionDeps['usual'] {
  return async (db, run, isWorkflowRun) => {
    const [table, owner, start] = isWorkflowRun
      ? ['ChecklistRuns', 'ChecklistId', 'QueueTime']
      : ['ActivityRuns', 'ActivityId', 'StartTime'];
    const query = db(table).where(owner, run.OwnerId).whereNotNull('EndTime');
    if (run.EndTime !== null) void query.where('Id', '<', run.Id);
    whereStatus(query, SUCCEEDED);
    const rows = await query
      .orderBy('Id', 'desc')
      .limit(MAX_RECENT_RUNS)
      .select<{ Begin: Date | null; EndTime: Date }[]>(`${start} as Begin`, 'EndTime');
    const took = rows
      .flatMap(({ Begin, EndTime }) => (Begin === null ? [] : [(EndTime.getTime() - Begin.getTime()) / 1000]))
      .sort((a, b) => a - b);
    return took.length < MIN_RECENT_RUNS ? null : took[Math.ceil(took.length * SHARE) - 1]!;
  };
}

/** '850 ms', '12 s', '5 min 20 s', '2 h 5 min' */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [first, second, units] =
    whole < 3600
      ? [Math.floor(whole / 60), whole % 60, ['min', 's']]
      : [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), ['h', 'min']];
  return second === 0 ? `${first} ${units[0]}` : `${first} ${units[0]} ${second} ${units[1]}`;
}
