import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import type { Log } from '#server/base/log.ts';
import { insertLogLines } from '#server/queue/run-end.ts';
import { held } from '#server/queue/run-queue.ts';
import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import type { RunStart } from './run-start.ts';
import { untilReachable } from '#server/queue/until-reachable.ts';

/** Log lines and progress of a running run, for the people who watch it. */
export interface RunJournal {
  log(line: RunLogLine): void;
  progress(phase: string, share: number | null): void;
  /** Stops writing and returns the unwritten lines, which are written with the end of the run. */
  close(signal: AbortSignal): Promise<RunLogLine[]>;
  /** True if lines of the log were, or may have been, written. */
  readonly hasWritten: boolean;
}

interface Progress {
  Phase: string;
  Share: number | null;
}

export interface JournalOptions {
  database: Database;
  worker: string;
  run: ClaimedRun;
  /** Written before anything else, so a run that returns to the queue has no log lines. */
  start: RunStart;
  intervalMs: number;
  log: Log;
}

const PHASE_MAX = 100;

/**
 * Writes log lines and progress together, at most once per interval; a short run writes only its end. As with the
 * finish, it writes only while the claim holds.
 */
export function createRunJournal(options: JournalOptions): RunJournal {
  return new Journal(options);
}

class Journal implements RunJournal {
  readonly #options: JournalOptions;
  #lines: RunLogLine[] = [];
  #progress: Progress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;
  #written = 0;
  /** After a lost connection, the lines in the database must be counted to find out which ones arrived. */
  #uncertain = false;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  get hasWritten(): boolean {
    return this.#written > 0 || this.#uncertain;
  }

  log(line: RunLogLine): void {
    this.#lines.push(line);
    this.#schedule();
  }

  progress(phase: string, share: number | null): void {
    this.#progress = { Phase: phase.slice(0, PHASE_MAX), Share: share };
    this.#schedule();
  }

  async close(signal: AbortSignal): Promise<RunLogLine[]> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await untilReachable(this.#options, signal, () => this.#dropWritten());
    return this.#lines;
  }

  #schedule(): void {
    if (this.#closed || this.#timer || this.#writing) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined;
        if (this.#lines.length > 0 || this.#progress) this.#schedule();
      });
    }, this.#options.intervalMs);
  }

  async #write(): Promise<void> {
    const { database, log, run, start } = this.#options;
    const progress = this.#progress;
    this.#progress = undefined;
    let hasStarted = false;
    try {
      await start.write();
      hasStarted = true;
      await this.#dropWritten();
      const lines = [...this.#lines];
      const mine = await inTransaction(database.knex, (trx) => writeWhileHeld(trx, this.#options, progress, lines));
      // The claim is lost: nothing more needs to be written, and the finishing write detects the loss as well.
      if (!mine) this.#closed = true;
      else this.#drop(lines.length);
    } catch (err) {
      log.debug({ err, run: run.Id }, 'the progress of a run could not be written yet');
      this.#uncertain ||= hasStarted;
      this.#progress ??= progress;
    }
  }

  #drop(count: number): void {
    this.#lines = this.#lines.slice(count);
    this.#written += count;
  }

  async #dropWritten(): Promise<void> {
    if (!this.#uncertain) return;
    const { database, run } = this.#options;
    this.#drop((await countLines(database.knex, run.Id)) - this.#written);
    this.#uncertain = false;
  }
}

async function countLines(knex: Knex, runId: number): Promise<number> {
  const [row] = await knex('RunLogEntries').where('ActivityRunId', runId).count<{ count: number }[]>({ count: '*' });
  return row?.count ?? 0;
}

async function writeWhileHeld(
  trx: Knex.Transaction,
  { worker, run }: JournalOptions,
  progress: Progress | undefined,
  lines: RunLogLine[],
): Promise<boolean> {
  // Updating the row locks it until the lines are inserted, so nobody can end the run in between.
  const changed = await held(trx, worker)
    .where({ Id: run.Id, Fence: run.Fence })
    .update(progress ?? { WorkerId: worker });
  if (changed === 0) return false;
  await insertLogLines(trx, run.Id, lines);
  return true;
}
