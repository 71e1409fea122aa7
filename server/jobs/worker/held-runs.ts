/** The runs that a worker holds, and their leases: it renews them, and stops the work on a run whose lease may have ended. */
import type { JobContext } from './end-run.ts';
import type { RunJob } from './run-job.ts';
import { RunStopped } from './run-stopped.ts';

export interface Held {
  job: RunJob;
  /** Whether it was taken from the queue; else it came straight from its start. */
  queued: boolean;
  /** By this process's own clock (performance.now): until then the lease holds for certain. */
  heldUntil: number;
}

export interface HeldRuns extends ReadonlyMap<number, Held> {
  set(runId: number, held: Held): void;
  delete(runId: number): void;
  /** Whether a run of the activity has worked for longer than so many milliseconds. */
  isLong(activityId: number, milliseconds: number): boolean;
  /** Stops the work on a run, if it is held. */
  stop(runId: number, stopped: RunStopped): void;
  /** Renews the leases; stops the work on runs whose lease may have ended, and on those that were cancelled. */
  keepLeases(): void;
  /** Stops the work on the runs that the database says are cancelled. */
  stopCancelled(): Promise<void>;
  /** Resolves when no renewal is under way. */
  settled(): Promise<void>;
}

/** Work is stopped this much before its lease may have ended: another could be told that it is over. */
const MARGIN_MS = 100;

export function createHeldRuns(context: JobContext): HeldRuns {
  return new RunsWithLeases(context);
}

class RunsWithLeases extends Map<number, Held> implements HeldRuns {
  readonly #context: JobContext;
  #renewing: Promise<void> | undefined;

  constructor(context: JobContext) {
    super();
    this.#context = context;
  }

  isLong(activityId: number, milliseconds: number): boolean {
    const since = performance.now() - milliseconds;
    return [...this.values()].some(
      ({ job: { run, startedAt } }) => run.ActivityId === activityId && startedAt !== null && startedAt < since,
    );
  }

  stop(runId: number, stopped: RunStopped): void {
    this.get(runId)?.job.stop(stopped);
  }

  keepLeases(): void {
    const now = performance.now();
    for (const { job, heldUntil } of this.values()) if (heldUntil <= now + MARGIN_MS) job.stop(new RunStopped('lost'));
    if (this.size === 0 || this.#renewing) return;
    this.#renewing = this.#renew(new Map(this)).finally(() => (this.#renewing = undefined));
  }

  async stopCancelled(): Promise<void> {
    const { queue, worker, log } = this.#context;
    try {
      for (const runId of await queue.cancelled(worker)) this.stop(runId, new RunStopped('cancelled'));
    } catch (err) {
      log.debug({ err }, 'the cancelled runs could not be read');
    }
  }

  async settled(): Promise<void> {
    await this.#renewing;
  }

  async #renew(held: ReadonlyMap<number, Held>): Promise<void> {
    const { queue, worker, log } = this.#context;
    try {
      const renewedAt = performance.now();
      const still = new Map((await queue.renew(worker, [...held.keys()])).map((run) => [run.Id, run]));
      for (const [runId, entry] of held) {
        const run = still.get(runId);
        if (!run || run.Fence !== entry.job.run.Fence) entry.job.stop(new RunStopped('lost'));
        else if (run.CancelTime) entry.job.stop(new RunStopped('cancelled'));
        else entry.heldUntil = renewedAt + queue.leaseSeconds * 1000;
      }
    } catch (err) {
      log.warn({ err }, 'the leases of the running runs could not be renewed');
    }
  }
}
