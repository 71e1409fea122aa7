import type { JobContext } from './end-run.ts';
import type { RunJob } from './run-job.ts';
import { RunStopped } from './run-stopped.ts';

export interface Held {
  job: RunJob;
  /** Time on the clock of performance.now() in this process until which the lease is certain to hold. */
  heldUntil: number;
}

/** Execution stops this long before the lease may expire, because another server could then end the run. */
const MARGIN_MS = 100;

/**
 * The runs that a worker holds, with their leases. It renews the leases, and stops the execution of a run whose lease
 * may have expired.
 */
export class HeldRuns extends Map<number, Held> {
  readonly #context: JobContext;
  #renewing: Promise<void> | undefined;

  constructor(context: JobContext) {
    super();
    this.#context = context;
  }

  /** Returns true if a run of the activity has been executing for longer than this many milliseconds. */
  isLong(activityId: number, milliseconds: number): boolean {
    const since = performance.now() - milliseconds;
    return [...this.values()].some(
      ({ job: { run, startedAt } }) => run.ActivityId === activityId && startedAt !== null && startedAt < since,
    );
  }

  /** Stops the execution of a run, if it is held. */
  stop(runId: number, stopped: RunStopped): void {
    this.get(runId)?.job.stop(stopped);
  }

  /** Renews the leases. Stops runs whose lease may have expired, and runs that were cancelled. */
  renewLeases(): void {
    const now = performance.now();
    for (const { job, heldUntil } of this.values()) if (heldUntil <= now + MARGIN_MS) job.stop(new RunStopped('lost'));
    if (this.size === 0 || this.#renewing) return;
    this.#renewing = this.#renew(new Map(this)).finally(() => (this.#renewing = undefined));
  }

  /** Stops the runs that are cancelled according to the database. */
  async stopCancelled(): Promise<void> {
    const { queue, worker } = this.#context;
    for (const runId of await queue.cancelled(worker)) this.stop(runId, new RunStopped('cancelled'));
  }

  /** Resolves when no renewal is in progress. */
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
      log.warn({ err }, 'could not renew the leases of the running runs');
    }
  }
}
