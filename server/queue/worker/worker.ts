/** Takes runs from the queue and executes as many at once as its slots and its memory budget allow. */
import { setTimeout as pause } from 'node:timers/promises';
import { outsideSpans } from '#server/base/tracing.ts';
import { createPoller, type Poller } from '#server/background/poller.ts';
import { ALWAYS } from '#server/db/work-probes.ts';
import type { JobContext } from './end-run.ts';
import { createHeldRuns, type HeldRuns } from './held-runs.ts';
import { createReservations } from './reservations.ts';
import { beginRunJob, type RunJob } from './run-job.ts';
import type { SlotReservation, SlotRequest } from '#server/queue/slot-reservation.ts';
import type { StoredInput } from './run-inputs.ts';
import { BATCH } from '#server/queue/run-queue.ts';
import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { createShortRuns, type ShortRuns } from './short-runs.ts';
import { RunStopped } from './run-stopped.ts';
import { nameWorker } from './worker-name.ts';
import type { WorkerSettings } from './worker-settings.ts';
import { createWorkerCapacity, type RunSlot, type WorkerCapacity } from './worker-capacity.ts';

export interface Worker {
  readonly name: string;
  start(): void;
  /**
   * Takes no further runs, returns runs that have not Started, waits for the rest, and ends the remaining ones as
   * Abandoned.
   */
  stop(): Promise<void>;
}

/**
 * Maximum number of calculated runs that are being stored in addition to the runs with slots, and maximum size in bytes
 * of the results of such a run.
 */
const MAX_ENDING_RUNS = 8;
const LARGEST_ENDING = 1024 * 1024;

/** A start may go directly to the worker ahead of queued runs that are at most this much older. */
const MAX_OVERTAKEN_AGE_MS = 50;

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
  readonly #settings: WorkerSettings;
  readonly #capacity: WorkerCapacity;
  readonly #held: HeldRuns;
  readonly #short: ShortRuns;
  /** Slots for runs that are being inserted as this worker's. */
  readonly #reserved = createReservations();
  /** Requests polls of the queue that no event has caused. */
  readonly #idlePoller: Poller;
  /** Stops runs that were cancelled while signals were lost. */
  readonly #cancelPoller: Poller;
  #renewalTimer: NodeJS.Timeout | undefined;
  #unsubscribers: (() => void)[] = [];
  /** Number of runs that have released their slot after the calculation and have not ended yet. */
  #ending = 0;
  #stopping = false;
  #taking: Promise<void> | undefined;
  /** A poll was requested since the last one began. */
  #asked = false;
  /** Runs are or may be waiting for which there was no room. */
  #backlog = false;
  /**
   * When the queue was last seen empty, on the clock of performance.now(); undefined if waiting runs were seen since.
   */
  #emptyAt: number | undefined;
  /** A claim was sent, but no response arrived. */
  #uncertain = false;

  constructor(context: JobContext, signals: RunSignals, settings: WorkerSettings) {
    this.name = context.worker;
    const onEnded: JobContext['onEnded'] = (ended) => {
      signals.ended(ended.Id, ended.answer);
      context.onEnded?.(ended);
    };
    this.#context = { ...context, onEnded };
    this.#held = createHeldRuns(this.#context);
    this.#signals = signals;
    this.#settings = settings;
    this.#capacity = createWorkerCapacity(settings);
    this.#short = createShortRuns(this.#context, this.#held, settings.longRuns);
    const { pollInterval: intervalMs, hasPendingWork = ALWAYS } = settings;
    this.#idlePoller = createPoller({
      poll: async () => this.#requestPoll(),
      intervalMs,
      hasPendingWork: async () => this.#held.size > 0 || this.#backlog || this.#uncertain || hasPendingWork(),
      onError: (err) => context.log.warn({ err }, 'whether runs are waiting could not be read; it is tried again'),
    });
    this.#cancelPoller = createPoller({
      poll: () => this.#held.stopCancelled(),
      intervalMs,
      hasPendingWork: async () => this.#held.size > 0,
      onError: (err) => context.log.debug({ err }, 'the cancelled runs could not be read'),
    });
  }

  start(): void {
    this.#idlePoller.start();
    this.#cancelPoller.start();
    // No poller: leases are also checked while a renewal waits for a database that does not respond.
    const renewalMs = (this.#context.queue.leaseSeconds * 1000) / RENEWALS_PER_LEASE;
    this.#renewalTimer = setInterval(() => this.#held.renewLeases(), renewalMs);
    this.#unsubscribers = [
      this.#signals.onQueued(() => this.#requestPoll()),
      this.#signals.onReserve((wanted) => this.#reserve(wanted)),
      this.#signals.onCancelled((runId) => this.#held.stop(runId, new RunStopped('cancelled'))),
    ];
    this.#requestPoll();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const unsubscribe of this.#unsubscribers) unsubscribe();
    // A database that does not respond must not keep the runs from being ended, so no poll is waited for.
    void this.#idlePoller.stop();
    void this.#cancelPoller.stop();
    const settled = Promise.all([this.#taking, this.#reserved.settled()]);
    await Promise.race([settled, pause(CLAIM_STOP_TIMEOUT_MS, undefined, { ref: false })]);
    const jobs = [...this.#held.values()].map(({ job }) => job);
    for (const job of jobs) if (!job.started) job.stop(new RunStopped('stopping'));
    const ended = Promise.all(jobs.map((job) => job.ended));
    const graceTimer = new AbortController();
    await Promise.race([
      ended,
      pause(this.#settings.stopGrace, undefined, { signal: graceTimer.signal }).catch(() => {}),
    ]);
    graceTimer.abort();
    for (const job of jobs) job.stop(new RunStopped('stopping'));
    await ended;
    clearInterval(this.#renewalTimer);
    await this.#held.settled();
  }

  #requestPoll(): void {
    this.#asked = true;
    if (this.#taking || !this.#mayClaim()) {
      this.#backlog = true;
      return;
    }
    // The poll serves many runs, so it must not belong to the trace span of the caller.
    this.#taking = outsideSpans(() => this.#takeRuns()).finally(() => {
      this.#taking = undefined;
      if (this.#asked && this.#mayClaim()) this.#requestPoll();
    });
  }

  #mayClaim(): boolean {
    return this.#capacity.mayClaim && this.#mayTake();
  }

  #mayTake(): boolean {
    return !this.#stopping && (this.#context.mayTake?.() ?? true);
  }

  async #takeRuns(): Promise<void> {
    const { queue, log } = this.#context;
    try {
      if (this.#uncertain) await this.#requeueUnknown();
      let freeTaken = false;
      while (this.#asked && this.#mayClaim()) {
        this.#asked = false;
        const { onlyShort, ...capacity } = this.#capacity.toClaim();
        const activities = onlyShort ? await this.#short.queuedActivities() : undefined;
        const claimedAt = performance.now();
        const runs: ClaimedRun[] =
          activities?.length === 0 ? [] : await queue.claim(this.name, { ...capacity, freeTaken, activities });
        if (!onlyShort) await this.#short.read(runs);
        // The stop may have finished in the meantime: nobody would wait for these runs.
        if (this.#stopping) {
          for (const run of runs) await queue.requeue(this.name, run);
          return;
        }
        for (const run of runs) {
          const isShort = onlyShort || this.#short.isShort(run) === true;
          this.#begin(run, { claimedAt, queued: true, isShort }, this.#capacity.forClaimed(run, isShort));
        }
        freeTaken = !onlyShort && runs.length > 0 && runs.length < Math.min(capacity.slots, BATCH) && !this.#asked;
        // If no room is left, the next poll checks for waiting runs: none can be claimed before that. If no more runs
        // were found, runs that cost more than the free memory may be waiting.
        const isFilled = runs.length > 0 && !this.#mayClaim();
        this.#backlog = isFilled || ((runs.length > 0 || !capacity.idle) && (await queue.isWaiting()));
        this.#emptyAt = this.#backlog ? undefined : performance.now();
        this.#asked ||= runs.length > 0 && this.#backlog;
      }
    } catch (err) {
      this.#uncertain = true;
      this.#backlog = true;
      this.#emptyAt = undefined;
      this.#asked = false;
      log.warn({ err }, 'the queue could not be read; it is tried again');
    }
  }

  /** Wait for reservations first: a run that is being stored must not be mistaken for an unknown one. */
  async #requeueUnknown(): Promise<void> {
    await this.#reserved.settled();
    await this.#context.queue.requeueUnknown(this.name, [...this.#held.keys()]);
    this.#uncertain = false;
  }

  /**
   * Returns true if the queue may hold runs that have waited longer than MAX_OVERTAKEN_AGE_MS. If newer ones counted, a
   * single queued start would force all later ones into the queue.
   */
  #olderMayWait(): boolean {
    if (!this.#taking && !this.#backlog) return false;
    return this.#emptyAt === undefined || performance.now() - this.#emptyAt > MAX_OVERTAKEN_AGE_MS;
  }

  #reserve(wanted: SlotRequest): SlotReservation | undefined {
    if (!this.#context.queue.mayPickUp(wanted) || this.#uncertain || this.#olderMayWait()) return undefined;
    const isShort = this.#short.isShort(wanted);
    const slot = this.#mayTake() ? this.#capacity.forStored(wanted, isShort, this.#reserved.size) : undefined;
    if (!slot) return undefined;
    return this.#reserved.add({
      worker: this.name,
      leaseSeconds: this.#context.queue.leaseSeconds,
      begin: (claimedAt, run, inputs) =>
        this.#begin(run, { claimedAt, queued: false, isShort: isShort === true }, slot, inputs),
      release: (isUncertain) => {
        slot.leave();
        this.#uncertain ||= isUncertain;
        if (this.#backlog || isUncertain) this.#requestPoll();
      },
    });
  }

  #begin(
    run: ClaimedRun,
    { claimedAt, queued, isShort }: { claimedAt: number; queued: boolean; isShort: boolean },
    { leave, waiting }: RunSlot,
    inputs?: readonly StoredInput[],
  ): void {
    let isEnding = false;
    const job = beginRunJob(this.#context, run, inputs, {
      admitted: waiting?.admitted,
      mayBeLong: !isShort,
      // A run that waits for a person keeps its memory but releases its slot.
      onWaiting: () => {
        leave('slot');
        this.#requestPoll();
      },
      // So does a run whose end is being stored: this waits for disks, and one statement stores several ends.
      onCalculated: (size, milliseconds) => {
        this.#capacity.calculated(milliseconds);
        this.#short.ran(run, milliseconds);
        if (size > LARGEST_ENDING || this.#ending >= MAX_ENDING_RUNS) return;
        isEnding = true;
        this.#ending += 1;
        leave('slot');
        if (this.#backlog || queued) this.#requestPoll();
      },
    });
    const heldUntil = claimedAt + this.#context.queue.leaseSeconds * 1000;
    // After a stall, the worker may claim a run again that another server had taken from it, without knowing that it
    // lost the run.
    this.#held.stop(run.Id, new RunStopped('lost'));
    this.#held.set(run.Id, { job, queued, heldUntil });
    this.#signals.started(run.Id);
    this.#signals.changed(run.Id);
    void this.#whenEnded(job, () => {
      leave();
      if (isEnding) this.#ending -= 1;
    });
    waiting?.begin(() => this.#requeueRun(job));
  }

  /** Returns the run to the queue, for any worker that has a slot sooner. */
  #requeueRun(job: RunJob): void {
    this.#backlog = true;
    job.stop(new RunStopped('waited'));
    void job.ended.then(() => this.#signals.queued());
  }

  async #whenEnded(job: RunJob, leave: () => void): Promise<void> {
    const { run } = job;
    const end = await job.ended;
    const entry = this.#held.get(run.Id);
    const isClaimedAgain = entry?.job !== job;
    if (!isClaimedAgain) this.#signals.finished(run.Id);
    this.#signals.changed(run.Id);
    if (run.ChecklistRunId !== null) this.#signals.stepEnded(run.ChecklistRunId);
    if (run.ParentRunId !== null) this.#signals.childEnded(run.ParentRunId);
    if (job.startsOthers) this.#signals.childEnded(run.Id);
    const wasQueued = entry?.queued;
    if (!isClaimedAgain) this.#held.delete(run.Id);
    leave();
    // The next claim returns what is left of the run, or the reaper finds it.
    if (end === 'open') this.#uncertain = true;
    if (end === 'promoted') this.#signals.queued();
    // If the run came from the queue, more may be queued, which a database without notifications does not report.
    else if (this.#backlog || wasQueued) this.#requestPoll();
  }
}
