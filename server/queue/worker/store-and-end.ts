import type { RunOutcome } from '#server/executors/executor.ts';
import type { DeltaBase } from '#server/files/deltas.ts';
import { withRetries } from '#server/files/store-faults.ts';
import type { NewRunStart } from '#server/queue/run-starts.ts';
import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import type { ActivityVersion } from '#server/versions/version-catalog.ts';
import { endRun, type JobContext } from './end-run.ts';
import type { RunJournal } from './run-journal.ts';
import { removeOutputFiles, storeOutputs, type StoredOutputs } from './run-outputs.ts';

export interface CalculatedRun {
  run: ClaimedRun;
  version: ActivityVersion;
  outcome: RunOutcome;
  /** On the clock of performance.now() in this process. */
  startedAt: number | null;
  journal: RunJournal;
  starts: NewRunStart[];
}

type Ended = ReturnType<typeof endRun>;

/** Stores the results of a run and ends it. If that fails, none of its files stay. */
export async function storeAndEnd(
  context: JobContext,
  calculated: CalculatedRun,
  signal: AbortSignal,
): Promise<Awaited<Ended>> {
  const { file } = calculated.version;
  const base = file && context.deltaBases ? await context.deltaBases(file) : null;
  try {
    return await storeBeside(base, context, calculated, signal);
  } catch (error) {
    // The workbook of an old version may have been purged during the calculation.
    const isBaseGone = base !== null && context.database.dialect.classify(error).fault === 'foreignKey';
    if (isBaseGone) return storeBeside(null, context, calculated, signal);
    throw error;
  }
}

async function storeBeside(
  base: DeltaBase | null,
  context: JobContext,
  { run, version, outcome, startedAt, journal, starts }: CalculatedRun,
  signal: AbortSignal,
): Ended {
  let stored: StoredOutputs | undefined;
  try {
    stored = await storeOutputs(withRetries(context.files, signal), version, outcome, base);
    const logs = await journal.close(signal);
    const end = { status: outcome.status, startedAt, logs, hasLogged: journal.hasWritten, starts, ...stored };
    const ended = await endRun(context, run, end, signal);
    if (ended.result === 'lost' || ended.result === 'cancelled') await removeOutputFiles(context.files, stored.files);
    return ended;
  } catch (error) {
    if (stored) await removeOutputFiles(context.files, stored.files);
    throw error;
  }
}
