/**
 * The runs of a worker and what each of them occupies: a slot, memory, or room to wait in memory for a slot. Counts are
 * read from the runs, so none can differ from them.
 */
import assert from 'node:assert/strict';
import type { ClaimCapacity } from '#server/queue/run-queue.ts';
import type { SlotRequest } from '#server/queue/slot-reservation.ts';
import type { WorkerSettings } from './worker-settings.ts';

/**
 * - Reserved: its row is being stored, or was just claimed. It has a slot, or room to wait.
 * - Waiting: it waits in memory for a slot.
 * - Executing: it has a slot.
 * - Paused: it waits for a person, without a slot.
 * - Ending: it is calculated and its end is being stored, without a slot.
 * - Left: it occupies nothing.
 *
 * A run has its memory until it has Left. Only runs without memory cost wait.
 */
type RunPhase = 'Reserved' | 'Waiting' | 'Executing' | 'Paused' | 'Ending' | 'Left';

const TRANSITIONS: Readonly<Record<RunPhase, readonly RunPhase[]>> = {
  Reserved: ['Waiting', 'Executing', 'Left'],
  Waiting: ['Executing', 'Left'],
  Executing: ['Paused', 'Ending', 'Left'],
  Paused: ['Ending', 'Left'],
  Ending: ['Left'],
  Left: [],
};

interface Run {
  phase: RunPhase;
  /** True if the run is known to be short. */
  isShort: boolean;
  memoryCost: number;
  /** When it got its slot, on the clock of performance.now(); undefined if it has none. */
  slotSince: number | undefined;
  /** Resolves when the run has a slot; undefined if it had one from the beginning. */
  admission: PromiseWithResolvers<void> | undefined;
  /** Resolves when the run is no longer Reserved. */
  storing: PromiseWithResolvers<void>;
  waitTimer?: NodeJS.Timeout;
}

export type LocalRun = Readonly<Pick<Run, 'phase' | 'isShort' | 'admission'>>;

type Limits = Pick<WorkerSettings, 'concurrency' | 'longRuns' | 'memoryBudget'>;

/** Maximum number of runs that wait in memory. */
const MAX_WAITING_RUNS = 8;
/** Minimum room to wait for claiming runs that have no slot. One statement then claims several. */
const CLAIMED_AHEAD = 4;
/** Maximum mean duration of the last calculations in milliseconds for further runs to wait in memory. */
const SHORT_MS = 20;
/** Longer calculations count as this many milliseconds. */
const MAX_COUNTED_MS = 1000;
/** Weight of the latest calculation in the mean. */
const WEIGHT = 0.25;
/** After waiting this many milliseconds, a run would probably begin sooner elsewhere. */
const MAX_WAIT_MS = 200;
/**
 * Maximum number of calculated runs that are being stored in addition to the runs with slots, and maximum size in bytes
 * of the results of such a run.
 */
const MAX_ENDING_RUNS = 8;
const MAX_ENDING_BYTES = 1024 * 1024;

export class LocalRuns {
  readonly #limits: Limits;
  /** By the objects that callers have. */
  readonly #runs = new Map<LocalRun, Run>();
  #meanMs = MAX_WAIT_MS;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** True if a claim is worthwhile: a slot is free, or several runs can wait. */
  get hasRoom(): boolean {
    return this.freeSlots(true) > 0 || this.freeToWait >= CLAIMED_AHEAD;
  }

  /** Number of further runs that can wait in memory; 0 while calculations are not short. */
  get freeToWait(): number {
    return this.#meanMs <= SHORT_MS ? MAX_WAITING_RUNS - this.#count(isWithoutSlot) : 0;
  }

  /** Number of free slots for runs known to be short, or for others. Negative if a run has a slot beyond the limit. */
  freeSlots(isShort: boolean): number {
    const { concurrency, longRuns } = this.#limits;
    const free = concurrency - this.#count(hasSlot);
    return isShort ? free : Math.min(free, (longRuns?.concurrency ?? concurrency) - this.#countLong());
  }

  /** @property onlyShort true if only a run that is known to be short can have the slot */
  toClaim(): ClaimCapacity & { onlyShort: boolean } {
    const slots = this.freeSlots(true);
    const forLong = this.freeSlots(false);
    if (forLong < 1 && slots > 0) return { ...this.#memory(), slots, onlyShort: true };
    const room = Math.max(forLong, 0) + this.freeToWait;
    return { ...this.#memory(), slots: room, onlyFree: forLong < 1, onlyShort: false };
  }

  /** Adds a run that was claimed with the capacity of `toClaim`. */
  addClaimed({ MemoryCost }: { MemoryCost: number }, isShort: boolean): LocalRun {
    return this.#add(MemoryCost, isShort, MemoryCost > 0 || this.freeSlots(isShort) > 0);
  }

  /**
   * Adds a run that is being stored as this worker's. Returns undefined if there is no room for it.
   * @param known whether it is short; undefined if the last runs of its activity are not known
   */
  reserve({ MemoryCost, isStart = false }: SlotRequest, known: boolean | undefined): LocalRun | undefined {
    // Send it through the queue, where the last runs of its activity are read. It may be short, and in the last slot
    // for long runs it would wait for a long run to end.
    if (known === undefined && this.#countLong() > 0 && this.freeSlots(false) < 2) return undefined;
    const isShort = known ?? false;
    // A start gets a slot in addition to runs that are still being stored, because none of these is calculating yet.
    // Otherwise rows of a For each step would force it through the queue. At most one run is beyond the slots.
    const mayExceed = isStart && isShort && this.freeSlots(true) === 0 && this.#count(isReserved) > 0;
    if (this.freeSlots(isShort) > 0 || mayExceed) {
      const { memory, idle } = this.#memory();
      return idle || MemoryCost <= memory ? this.#add(MemoryCost, isShort, true) : undefined;
    }
    return isStart && MemoryCost === 0 && this.freeToWait > 0 ? this.#add(0, isShort, false) : undefined;
  }

  /** The run is stored: it executes, or waits. @param onTooLong called when it must not wait here any longer */
  begin(local: LocalRun, onTooLong: () => void): void {
    const run = this.#own(local);
    this.#enter(run, hasSlot(run) ? 'Executing' : 'Waiting');
    run.storing.resolve();
    if (run.phase === 'Executing') return;
    run.waitTimer = setTimeout(() => {
      this.#meanMs = Math.max(this.#meanMs, MAX_WAIT_MS);
      onTooLong();
    }, MAX_WAIT_MS);
    this.#admitWaiting();
  }

  /** The run begins to wait for a person, perhaps not for the first time. */
  pause(local: LocalRun): void {
    if (local.phase === 'Executing') this.#enter(this.#own(local), 'Paused');
  }

  /**
   * The run was calculated within this many milliseconds. Returns false if it keeps its slot until its results are
   * stored: results must not pile up in memory while the file store or the database does not respond.
   */
  calculated(local: LocalRun, size: number, milliseconds: number): boolean {
    this.#meanMs += (Math.min(milliseconds, MAX_COUNTED_MS) - this.#meanMs) * WEIGHT;
    if (size > MAX_ENDING_BYTES || this.#count(isEnding) >= MAX_ENDING_RUNS) return false;
    this.#enter(this.#own(local), 'Ending');
    return true;
  }

  leave(local: LocalRun): void {
    const run = this.#own(local);
    this.#runs.delete(local);
    run.storing.resolve();
    this.#enter(run, 'Left');
  }

  /** Resolves when no run that is Reserved now is Reserved any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#runs.values()].filter(isReserved).map(({ storing }) => storing.promise));
  }

  #add(memoryCost: number, isShort: boolean, withSlot: boolean): LocalRun {
    const slot = withSlot
      ? { slotSince: performance.now(), admission: undefined }
      : { slotSince: undefined, admission: Promise.withResolvers<void>() };
    const run: Run = { phase: 'Reserved', isShort, memoryCost, ...slot, storing: Promise.withResolvers<void>() };
    this.#runs.set(run, run);
    return run;
  }

  #own(local: LocalRun): Run {
    const run = this.#runs.get(local);
    assert(run, `a run that is ${local.phase} is not one of the worker's`);
    return run;
  }

  /** Changes the phase, and the slot with it. A released slot goes to the run that has waited longest. */
  #enter(run: Run, phase: RunPhase): void {
    assert(TRANSITIONS[run.phase].includes(phase), `a run that is ${run.phase} cannot become ${phase}`);
    run.phase = phase;
    clearTimeout(run.waitTimer);
    if (phase === 'Waiting') return;
    if (phase === 'Executing') {
      run.slotSince ??= performance.now();
      run.admission?.resolve();
    } else if (hasSlot(run)) {
      run.slotSince = undefined;
      this.#admitWaiting();
    }
  }

  #admitWaiting(): void {
    for (const run of this.#runs.values())
      if (run.phase === 'Waiting' && this.freeSlots(run.isShort) > 0) this.#enter(run, 'Executing');
  }

  #count(is: (run: Run) => boolean): number {
    return [...this.#runs.values()].filter(is).length;
  }

  /** Number of runs with slots that are not known to be short, or that take longer than a short run. */
  #countLong(): number {
    const shortMs = this.#limits.longRuns?.shortMs ?? Infinity;
    const now = performance.now();
    return this.#count(({ isShort, slotSince }) => slotSince !== undefined && (!isShort || now - slotSince > shortMs));
  }

  #memory(): Pick<ClaimCapacity, 'memory' | 'idle'> {
    const { memoryBudget } = this.#limits;
    let used = 0;
    let idle = true;
    for (const run of this.#runs.values()) {
      // A run larger than the whole budget takes exactly the whole budget.
      used += Math.min(run.memoryCost, memoryBudget);
      idle &&= run.memoryCost === 0 && !hasSlot(run);
    }
    return { memory: memoryBudget - used, idle };
  }
}

const hasSlot = ({ slotSince }: Run): boolean => slotSince !== undefined;
const isReserved = ({ phase }: Run): boolean => phase === 'Reserved';
const isEnding = ({ phase }: Run): boolean => phase === 'Ending';
/** Waiting, or being stored in order to wait. */
const isWithoutSlot = (run: Run): boolean => run.phase === 'Waiting' || (isReserved(run) && !hasSlot(run));
