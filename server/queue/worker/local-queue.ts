/**
 * The queue of one worker: it decides which runs the worker takes, and when. It polls the queue of the database,
 * reserves slots for starts of this process, and lets runs wait in memory while calculations take milliseconds: through
 * the database, each would cost a claim and two polls, which take longer than that.
 */
import assert from 'node:assert/strict';
import { outsideSpans } from '#server/base/tracing.ts';
import { createPoller, type Poller } from '#server/background/poller.ts';
import { ALWAYS } from '#server/db/work-probes.ts';
import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import { BATCH } from '#server/queue/run-queue.ts';
import type { SlotRequest, SlotReservation } from '#server/queue/slot-reservation.ts';
import type { JobContext } from './end-run.ts';
import { LocalRuns, type LocalRun } from './local-runs.ts';
import type { StoredInput } from './run-inputs.ts';
import type { JobEnd } from './run-job.ts';
import type { ShortRuns } from './short-runs.ts';
import type { WorkerSettings } from './worker-settings.ts';

/**
 * - Idle: no run is known to wait in the database. Starts come directly to this worker.
 * - Polling: a claim is in flight.
 * - Full: runs wait in the database, or may, that this worker cannot take now.
 * - Uncertain: a response of the database did not arrive, so this worker may hold runs that it does not know. It returns
 *   them to the queue before it claims or reserves anything else.
 * - Draining: the worker stops. It takes nothing more, and returns what a claim in flight brings.
 * - Stopped: nobody waits for a run any more.
 */
type Mode = 'Idle' | 'Polling' | 'Full' | 'Uncertain' | 'Draining' | 'Stopped';

/**
 * - poll: the worker claims runs, and no row is unknown to it.
 * - runsWait: runs are queued that this worker cannot claim now, or returns to the queue.
 * - foundRest, foundNone: the poll has ended, and left runs in the queue, or none.
 * - lost: a claim, a start or the end of a run had no response.
 * - drain, stop: the worker begins to stop, and has stopped.
 */
type QueueEvent = 'poll' | 'runsWait' | 'foundRest' | 'foundNone' | 'lost' | 'drain' | 'stop';

const TRANSITIONS: Readonly<Record<Mode, Readonly<Partial<Record<QueueEvent, Mode>>>>> = {
  Idle: { poll: 'Polling', runsWait: 'Full', lost: 'Uncertain', drain: 'Draining' },
  Polling: { runsWait: 'Polling', foundRest: 'Full', foundNone: 'Idle', lost: 'Uncertain', drain: 'Draining' },
  Full: { poll: 'Polling', runsWait: 'Full', lost: 'Uncertain', drain: 'Draining' },
  Uncertain: { poll: 'Polling', runsWait: 'Uncertain', lost: 'Uncertain', drain: 'Draining' },
  Draining: { runsWait: 'Draining', lost: 'Draining', stop: 'Stopped' },
  Stopped: { runsWait: 'Stopped', lost: 'Stopped' },
};

/** A start may go directly to the worker ahead of queued runs that are at most this much older. */
const MAX_OVERTAKEN_AGE_MS = 50;

/** A run that the worker is to execute. */
export interface BegunRun {
  run: ClaimedRun;
  local: LocalRun;
  /** True if the run was claimed from the queue; false if it came directly from its start. */
  queued: boolean;
  /** When its lease began at the earliest, on the clock of performance.now(). */
  claimedAt: number;
  /** Read from the database if absent. */
  inputs?: readonly StoredInput[] | undefined;
}

export interface LocalQueueDeps extends Pick<JobContext, 'worker' | 'queue' | 'log' | 'mayTake'> {
  short: ShortRuns;
  /** The runs that the worker executes. */
  heldIds: () => number[];
  /** Executes the run. Calls `begin` when the worker holds it, and `leave` when it does not hold it any more. */
  execute: (begun: BegunRun) => void;
}

export class LocalQueue {
  readonly #deps: LocalQueueDeps;
  readonly #runs: LocalRuns;
  /** Polls when no event has caused it. */
  readonly #idlePoller: Poller;
  #mode: Mode = 'Idle';
  #polling: Promise<void> | undefined;
  /** A poll was requested since the last claim was sent. */
  #isPollRequested = false;
  /** Runs may be queued that this worker has not taken: never in Idle, always in Full and Uncertain. */
  #mayWait = false;
  /**
   * When the queue was last seen empty, on the clock of performance.now(); undefined if waiting runs were seen since.
   */
  #emptyAt: number | undefined;

  constructor(deps: LocalQueueDeps, settings: WorkerSettings) {
    this.#deps = deps;
    this.#runs = new LocalRuns(settings);
    const { pollInterval: intervalMs, hasPendingWork = ALWAYS } = settings;
    this.#idlePoller = createPoller({
      poll: async () => this.requestPoll(),
      intervalMs,
      hasPendingWork: async () => this.#runs.size > 0 || this.#mayWait || hasPendingWork(),
      onError: (err) => deps.log.warn({ err }, 'could not read whether runs are waiting; trying again'),
    });
  }

  get mode(): Mode {
    return this.#mode;
  }

  start(): void {
    this.#idlePoller.start();
    this.requestPoll();
  }

  /** Takes nothing more. Resolves when no claim is in flight and no run is being stored as this worker's. */
  async drain(): Promise<void> {
    this.#on('drain');
    // A database that does not respond must not keep the runs from being ended, so no poll is waited for.
    void this.#idlePoller.stop();
    await Promise.all([this.#polling, this.#runs.settled()]);
  }

  stopped(): void {
    this.#on('stop');
  }

  requestPoll(): void {
    this.#isPollRequested = true;
    if (this.#polling || !this.#mayClaim()) return this.#on('runsWait');
    // The poll serves many runs, so it must not belong to the trace span of the caller.
    this.#polling = outsideSpans(() => this.#poll()).finally(() => {
      this.#polling = undefined;
      if (this.#isPollRequested && this.#mayClaim()) this.requestPoll();
    });
  }

  /** Reserves a slot for a run that is being stored; undefined if the run must go through the queue. */
  reserve(wanted: SlotRequest): SlotReservation | undefined {
    const { worker, queue, short } = this.#deps;
    if (!queue.mayPickUp(wanted) || !this.#mayTake() || !this.#mayOvertake()) return undefined;
    const local = this.#runs.reserve(wanted, short.isShort(wanted));
    if (!local) return undefined;
    const claimedAt = performance.now();
    const { leaseSeconds } = queue;
    const end = (isUncertain: boolean): void => {
      this.#runs.leave(local);
      if (isUncertain) this.#on('lost');
      if (this.#mayWait) this.requestPoll();
    };
    return {
      worker,
      leaseSeconds,
      begin: (run, inputs) => {
        // If half of its lease has passed, return the run to the queue.
        if (performance.now() - claimedAt > leaseSeconds * 500) return end(true);
        this.#deps.execute({ run, local, queued: false, claimedAt, inputs });
      },
      release: () => end(false),
      fail: () => end(true),
    };
  }

  /** The worker holds the run. @param returnToQueue called when it has waited too long for a slot */
  begin(local: LocalRun, returnToQueue: () => void): void {
    this.#runs.begin(local, () => {
      this.#on('runsWait');
      returnToQueue();
    });
  }

  /** The run waits for a person: it keeps its memory and releases its slot. */
  pause({ local }: BegunRun): void {
    this.#runs.pause(local);
    this.requestPoll();
  }

  /**
   * The run was calculated within this many milliseconds, and its results of this size are being stored. It releases its
   * slot too: storing waits for disks, and one statement stores several ends.
   */
  calculated({ local, queued }: BegunRun, size: number, milliseconds: number): void {
    if (this.#runs.calculated(local, size, milliseconds) && (this.#mayWait || queued)) this.requestPoll();
  }

  /** The worker has nothing more to do with the run. */
  leave({ local, queued }: BegunRun, end: JobEnd): void {
    // If the run came from the queue, more may be queued, which a database without notifications does not report.
    const isPollDue = end !== 'promoted' && (this.#mayWait || queued);
    this.#runs.leave(local);
    // The next poll returns what is left of the run, or the reaper finds it.
    if (end === 'open') this.#on('lost');
    if (isPollDue) this.requestPoll();
  }

  /** The only place that changes the mode. */
  #on(event: QueueEvent): void {
    const next = TRANSITIONS[this.#mode][event];
    assert(next, `the local queue is ${this.#mode}, which ${event} cannot change`);
    this.#mode = next;
    if (event === 'runsWait' || event === 'foundRest' || event === 'lost') this.#mayWait = true;
    if (event === 'foundNone') this.#mayWait = false;
  }

  #isStopping(): boolean {
    return this.#mode === 'Draining' || this.#mode === 'Stopped';
  }

  #mayTake(): boolean {
    return !this.#isStopping() && (this.#deps.mayTake?.() ?? true);
  }

  #mayClaim(): boolean {
    return this.#runs.hasRoom && this.#mayTake();
  }

  /**
   * Returns true if no run has waited in the queue for longer than MAX_OVERTAKEN_AGE_MS. If newer ones counted, a single
   * queued start would force all later ones into the queue.
   */
  #mayOvertake(): boolean {
    if (this.#mode === 'Idle') return true;
    if (this.#mode === 'Uncertain' || this.#emptyAt === undefined) return false;
    return performance.now() - this.#emptyAt <= MAX_OVERTAKEN_AGE_MS;
  }

  async #poll(): Promise<void> {
    try {
      let freeTaken = false;
      while (this.#isPollRequested && this.#mayClaim()) {
        if (this.#mode === 'Uncertain') await this.#returnUnknown();
        if (this.#mode === 'Idle' || this.#mode === 'Full') this.#on('poll');
        if (this.#mode === 'Polling') freeTaken = await this.#claim(freeTaken);
      }
      if (this.#mode === 'Polling') this.#on(this.#mayWait || this.#isPollRequested ? 'foundRest' : 'foundNone');
    } catch (err) {
      this.#on('lost');
      this.#emptyAt = undefined;
      this.#isPollRequested = false;
      this.#deps.log.warn({ err }, 'could not read the queue; trying again');
    }
  }

  /** Waits for reservations first: a run that is being stored must not be mistaken for an unknown one. */
  async #returnUnknown(): Promise<void> {
    const { worker, queue, heldIds } = this.#deps;
    await this.#runs.settled();
    await queue.requeueUnknown(worker, heldIds());
    if (this.#mode === 'Uncertain') this.#on('poll');
  }

  /**
   * Claims runs once, and executes them.
   * @param freeTaken true if the last claim has just taken all runs without memory cost
   * @returns whether this one has
   */
  async #claim(freeTaken: boolean): Promise<boolean> {
    const { worker, queue, short, execute } = this.#deps;
    this.#isPollRequested = false;
    const { onlyShort, ...capacity } = this.#runs.toClaim();
    const activities = onlyShort ? await short.queuedActivities() : undefined;
    const claimedAt = performance.now();
    const runs = activities?.length === 0 ? [] : await queue.claim(worker, { ...capacity, freeTaken, activities });
    if (!onlyShort) await short.read(runs);
    if (this.#isStopping()) {
      // The stop may have finished in the meantime: nobody would wait for these runs.
      for (const run of runs) await queue.requeue(worker, run);
      return false;
    }
    for (const run of runs) {
      const local = this.#runs.addClaimed(run, onlyShort || short.isShort(run) === true);
      execute({ run, local, queued: true, claimedAt });
    }
    const isPartial = runs.length > 0 && runs.length < Math.min(capacity.slots, BATCH);
    const hasTakenFree = !onlyShort && isPartial && !this.#isPollRequested;
    await this.#findRest(runs.length, capacity.idle);
    return hasTakenFree;
  }

  /** Finds out whether the claim has left runs in the queue. */
  async #findRest(claimedCount: number, wasIdle: boolean): Promise<void> {
    // If no room is left, the next poll checks for waiting runs: none can be claimed before that. If no more runs were
    // found, runs that cost more than the free memory may be waiting.
    const isFilled = claimedCount > 0 && !this.#mayClaim();
    const isRest = isFilled || ((claimedCount > 0 || !wasIdle) && (await this.#deps.queue.isWaiting()));
    this.#emptyAt = isRest ? undefined : performance.now();
    this.#isPollRequested ||= claimedCount > 0 && isRest;
    if (this.#mode === 'Polling') this.#mayWait = isRest;
  }
}
