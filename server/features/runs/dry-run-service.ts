/**
 * Checks a start and calculates it as a run would, immediately and in this process. Nothing is stored, and nothing
 * outside is changed.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor, RunLogLine } from '#server/executors/executor.ts';
import { outputsOf } from '#server/versions/version-views.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { findStoredFiles } from '#server/files/stored-files.ts';
import { inputValues, type StoredInput } from '#server/queue/worker/run-inputs.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import type { DryRunResult } from '#shared/contract/dry-runs.ts';
import { OUTCOME_TEXT } from '#shared/contract/run-status.ts';
import type { StartBody } from '#shared/contract/runs.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import type { StartService } from './start-service.ts';
import { isSkippedInTrial, trialObstacle } from '#server/versions/triable.ts';

export interface DryRunService {
  /**
   * Throws the errors of a start, and an AppError 422 if the activity cannot be tried.
   * @param signal aborts the calculation
   */
  run(person: Person, body: StartBody, signal: AbortSignal): Promise<DryRunResult>;
}

export interface DryRunDeps {
  database: Database;
  starts: Pick<StartService, 'check'>;
  versions: VersionCatalog;
  files: Pick<FileStore, 'read'>;
  executor: Executor;
  /** Trying an activity requires a license, as running it does. */
  isLicensed: () => Promise<boolean>;
  /** Maximum duration of a calculation, in milliseconds. */
  timeLimit?: number;
}

/** Short, because a person waits for the result. */
const TIME_LIMIT_MS = 60_000;
/** Maximum number of concurrent calculations, in addition to those of runs. Further ones wait. */
const DRY_RUN_CONCURRENCY = 2;

export function createDryRunService(deps: DryRunDeps): DryRunService {
  const limited = createConcurrencyLimit(DRY_RUN_CONCURRENCY);
  return {
    run: async (person, body, signal) => {
      const version = await deps.versions.get(body.ActivityId, body.ActivityVersion);
      // The check runs first: it throws if the person may not run the activity, or if the version does not exist.
      const { rows } = await deps.starts.check(person, body);
      if (!version) throw new AppError('versionNotFound', 404, 'There is no such version');
      requireTriable(version);
      if (!(await deps.isLicensed())) throw new AppError('notLicensed', 422, OUTCOME_TEXT.NotLicensed!);
      return limited(() => {
        signal.throwIfAborted();
        return calculate(deps, version, rows, signal);
      });
    },
  };
}

function requireTriable({ definition }: ActivityVersion): void {
  const obstacle = trialObstacle(definition);
  if (obstacle !== null) throw new AppError('dryRunImpossible', 422, obstacle);
}

async function calculate(
  { database, files, executor, timeLimit = TIME_LIMIT_MS }: DryRunDeps,
  version: ActivityVersion,
  rows: readonly NewRunInput[],
  signal: AbortSignal,
): Promise<DryRunResult> {
  const { ActivityId, Version, definition, file } = version;
  if (!file) throw new AppError('fileMissing', 404, 'This activity version file does not exist');
  const stored = await storedInputs(database, rows);
  const lines: RunLogLine[] = [];
  const began = performance.now();
  const { status, outputs } = await executor.run({
    versionKey: `${ActivityId}/${Version}`,
    definition: { ...definition, steps: definition.steps.filter((step) => !isSkippedInTrial(step)) },
    fileName: file.FileName,
    readWorkbook: () => files.read(file.StoreKey),
    // There is no run whose id an input could contain.
    inputs: inputValues(version, stored, files, 0),
    timeLimit,
    signal,
    onLog: (line) => lines.push(line),
    onProgress: () => {},
  });
  const values = new Map(outputs.map(({ Name, Value }) => [Name, Value]));
  const names = new Map(version.outputs.map(({ Id, Name }) => [Id, Name]));
  return {
    Status: status,
    Duration: Math.round(performance.now() - began),
    LogEntries: lines.map(({ Message, StatusCode, Category }) => ({ Message, StatusCode, Category })),
    Outputs: outputsOf(version, (id) => values.get(names.get(id)!) ?? null),
    LeftOutSteps: definition.steps.filter(isSkippedInTrial).map(({ Step }) => Step),
  };
}

async function storedInputs({ knex }: Database, rows: readonly NewRunInput[]): Promise<StoredInput[]> {
  const found = await findStoredFiles(
    knex,
    rows.flatMap(({ FileId }) => FileId ?? []),
  );
  const keys = new Map(found.map(({ FileId, StoreKey }) => [FileId, StoreKey]));
  return rows.map(({ ActivityParameterId, ArrayIndex, Value, FileId, FileName }) => ({
    ActivityParameterId,
    ArrayIndex,
    Value,
    FileName,
    StoreKey: FileId === null ? null : (keys.get(FileId) ?? null),
  }));
}
