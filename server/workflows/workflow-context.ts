import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor } from '#server/executors/executor.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { OutputValue } from '#shared/codecs/linked-values.ts';

/** A step that is about to be queued. */
export interface StepToPrepare {
  /** The user who started the workflow. */
  UserId: number;
  ActivityId: number;
  ActivityVersion: number;
  /** Outputs of earlier steps, by the ActivityParameterId of the input that takes them. */
  upstreamValues: ReadonlyMap<number, OutputValue>;
  /** The inputs stored at the start: all except those in `upstreamValues`. */
  stored: readonly NewRunInput[];
  /** If true, the result holds all inputs, not only the upstream values. Used if no inputs were stored before. */
  isComplete?: boolean;
}

/**
 * The inputs that take the given values, to be stored in addition to the others; or a message for people why the step
 * cannot run.
 */
export type PreparedStep =
  | {
      refused: string;
      /** The status that the step ends with; Failed if absent. */
      status?: 'LogicError';
    }
  | { refused: null; inputs: NewRunInput[] };

/**
 * Checks whether the person may still run the activity, and whether the activity accepts the outputs of earlier steps
 * under the same rules as a form.
 */
export type PrepareStep = (step: StepToPrepare) => Promise<PreparedStep>;

export interface WorkflowContext {
  database: Database;
  signals: RunSignals;
  versions: VersionCatalog;
  prepareStep: PrepareStep;
  /** Calculates expressions. */
  executor: Pick<Executor, 'calculate'>;
  /** The portal's time zone. */
  timeZone: string;
  log: Log;
}
