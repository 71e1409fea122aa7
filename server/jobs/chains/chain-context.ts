import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import type { NewRunInput } from '#server/jobs/queue/enqueue-run.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { OutputValue } from '#shared/codecs/linked-values.ts';

/** A step that is about to be queued. */
export interface StepToPrepare {
  /** Who started the chain. */
  UserId: number;
  ActivityId: number;
  ActivityVersion: number;
  /** What earlier steps gave, by the ActivityParameterId of the input that takes it. */
  given: ReadonlyMap<number, OutputValue>;
  /** The inputs that were stored with the start: all but those given. */
  stored: readonly NewRunInput[];
  /** Whether the answer has all inputs, and not those given alone: where none were stored before. */
  isWhole?: boolean;
}

/** The inputs that take what was given, to be stored beside the others; or why the step cannot be run, for people. */
export type PreparedStep = { refused: string } | { refused: null; inputs: NewRunInput[] };

/** Whether the person may still run the activity, and whether it can take what earlier steps gave, by the rules of a form. */
export type PrepareStep = (step: StepToPrepare) => Promise<PreparedStep>;

export interface ChainContext {
  database: Database;
  signals: RunSignals;
  versions: VersionCatalog;
  prepareStep: PrepareStep;
  log: Log;
}
