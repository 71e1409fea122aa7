/** Executes the runs that its local queue takes, with their leases, and ends them when the process stops. */
import { setTimeout as pause } from 'node:timers/promises';
import { createPoller, type Poller } from '#server/background/poller.ts';
import type { JobContext } from './end-run.ts';
import { HeldRuns } from './held-runs.ts';
import { LocalQueue, type BegunRun } from './local-queue.ts';
import { beginRunJob, type RunJob } from './run-job.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { createShortRuns, type ShortRuns } from './short-runs.ts';
import { RunStopped } from './run-stopped.ts';
import { nameWorker } from './worker-name.ts';
import type { WorkerSettings } from './worker-settings.ts';

export interface Worker {
  readonly name: string;
  start(): void;
  /**
   * Takes no further runs, returns runs that have not Started, waits for the rest, and ends the remaining ones as
   * Abandoned.
   */
  stop(): Promise<void>;
}

/** The worker renews its leases four times per lease period, so one lost statement does not lose a lease. */
const RENEWALS_PER_LEASE = 4;
/** How long a stop waits for a claim in progress. Runs that it still takes are returned, or found by the reaper. */
const CLAIM_STOP_TIMEOUT_MS = 1_000;

export function createWorker(
  shared: Omit<JobContext, 'worker'>,
  signals: RunSignals,
  settings: WorkerSettings,
): Worker {
  return new RunWorker({ ...shared, worker: nameWorker() }, signals, settings);
}

class RunWorker implements Worker {
  readonly name: string;
  readonly #context: JobContext;
  readonly #signals: RunSignals;
  readonly #stopGrace: number;
  readonly #held: HeldRuns;
  readonly #short: ShortRuns;
  readonly #queue: LocalQueue;
  /** Stops runs that were cancelled while signals were lost. */
  readonly #cancelPoller: Poller;
  #renewalTimer: NodeJS.Timeout | undefined;
  #unsubscribers: (() => void)[] = [];
  #stopped: Promise<void> | undefined;

  constructor(context: JobContext, signals: RunSignals, settings: WorkerSettings) {
    this.name = context.worker;
    const onEnded: JobContext['onEnded'] = (ended) => {
      signals.ended(ended.Id, ended.answer);
      context.onEnded?.(ended);
    };
    this.#context = { ...context, onEnded };
    this.#signals = signals;
    this.#stopGrace = settings.stopGrace;
    this.#held = new HeldRuns(this.#context);
    this.#short = createShortRuns(this.#context, this.#held, settings.longRuns);
    const execute = (begun: BegunRun): void => this.#execute(begun);
    const heldIds = (): number[] => [...this.#held.keys()];
    this.#queue = new LocalQueue({ ...this.#context, short: this.#short, execute, heldIds }, settings);
    this.#cancelPoller = createPoller({
      poll: () => this.#held.stopCancelled(),
      intervalMs: settings.pollInterval,
      hasPendingWork: async () => this.#held.size > 0,
      onError: (err) => context.log.debug({ err }, 'the cancelled runs could not be read'),
    });
  }

  start(): void {
    this.#cancelPoller.start();
    // No poller: leases are also checked while a renewal waits for a database that does not respond.
    const renewalMs = (this.#context.queue.leaseSeconds * 1000) / RENEWALS_PER_LEASE;
    this.#renewalTimer = setInterval(() => this.#held.renewLeases(), renewalMs);
    this.#unsubscribers = [
      this.#signals.onQueued(() => this.#queue.requestPoll()),
      this.#signals.onReserve((wanted) => this.#queue.reserve(wanted)),
      this.#signals.onCancelled((runId) => this.#held.stop(runId, new RunStopped('cancelled'))),
    ];
    this.#queue.start();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribers) unsubscribe();
    void this.#cancelPoller.stop();
    await Promise.race([this.#queue.drain(), pause(CLAIM_STOP_TIMEOUT_MS, undefined, { ref: false })]);
    const jobs = [...this.#held.values()].map(({ job }) => job);
    for (const job of jobs) if (!job.started) job.stop(new RunStopped('stopping'));
    const ended = Promise.all(jobs.map((job) => job.ended));
    const graceTimer = new AbortController();
    await Promise.race([ended, pause(this.#stopGrace, undefined, { signal: graceTimer.signal }).catch(() => {})]);
    graceTimer.abort();
    for (const job of jobs) job.stop(new RunStopped('stopping'));
    await ended;
    clearInterval(this.#renewalTimer);
    await this.#held.settled();
    this.#queue.stopped();
  }

  #execute(begun: BegunRun): void {
    const { run, local, claimedAt, inputs } = begun;
    const job = beginRunJob(this.#context, run, inputs, {
      admitted: local.admission?.promise,
      mayBeLong: !local.isShort,
      onWaiting: () => this.#queue.pause(begun),
      onCalculated: (size, milliseconds) => {
        this.#short.ran(run, milliseconds);
        this.#queue.calculated(begun, size, milliseconds);
      },
    });
    const heldUntil = claimedAt + this.#context.queue.leaseSeconds * 1000;
    // After a stall, the worker may claim a run again that another server had taken from it, without knowing that it
    // lost the run.
    this.#held.stop(run.Id, new RunStopped('lost'));
    this.#held.set(run.Id, { job, heldUntil });
    this.#signals.started(run.Id);
    this.#signals.changed(run.Id);
    void this.#whenEnded(job, begun);
    this.#queue.begin(local, () => {
      // Return the run to the queue, for any worker that has a slot sooner.
      job.stop(new RunStopped('waited'));
      void job.ended.then(() => this.#signals.queued());
    });
  }

  async #whenEnded(job: RunJob, begun: BegunRun): Promise<void> {
    const { run } = job;
    const end = await job.ended;
    const isClaimedAgain = this.#held.get(run.Id)?.job !== job;
    if (!isClaimedAgain) this.#signals.finished(run.Id);
    this.#signals.changed(run.Id);
    if (run.ChecklistRunId !== null) this.#signals.stepEnded(run.ChecklistRunId);
    if (run.ParentRunId !== null) this.#signals.childEnded(run.ParentRunId);
    if (job.startsOthers) this.#signals.childEnded(run.Id);
    if (!isClaimedAgain) this.#held.delete(run.Id);
    this.#queue.leave(begun, end);
    if (end === 'promoted') this.#signals.queued();
  }
}
