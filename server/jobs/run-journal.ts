import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import type { Log } from '#server/log.ts';
import { insertLogLines } from './run-end.ts';
import { held, type ClaimedRun } from './run-queue.ts';

/** What a running run says of itself, on its way to those who watch it. */
export interface RunJournal {
  log(line: RunLogLine): void;
  progress(phase: string, share: number | null): void;
  /** Stops writing and answers the lines that are not written yet: they go with the finishing write. */
  close(): Promise<RunLogLine[]>;
}

interface Progress {
  Phase: string;
  Share: number | null;
}

const PHASE_MAX = 100;

/**
 * Writes log lines and progress together, at most once an interval; a short run writes nothing but its end.
 * Like the finish, it writes only while the claim holds.
 */
export function createRunJournal(
  database: Database,
  worker: string,
  run: ClaimedRun,
  options: { intervalMs: number; log: Log },
): RunJournal {
  const { knex } = database;
  let lines: RunLogLine[] = [];
  let progress: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let closed = false;
  let written = 0;
  // After a lost connection: whether the last lines arrived has to be counted.
  let uncertain = false;

  function schedule(): void {
    if (closed || timer || writing) return;
    timer = setTimeout(() => {
      timer = undefined;
      writing = write().finally(() => {
        writing = undefined;
        if (lines.length > 0 || progress) schedule();
      });
    }, options.intervalMs);
  }

  async function write(): Promise<void> {
    const state = progress;
    progress = undefined;
    try {
      await dropWritten();
      const taken = [...lines];
      const mine = await inTransaction(knex, (trx) => writeWhileHeld(trx, worker, run, state, taken));
      // The claim is gone: nobody will read on, and the finish will find out for itself.
      if (!mine) closed = true;
      lines = lines.slice(taken.length);
      written += taken.length;
    } catch (err) {
      options.log.debug({ err, run: run.Id }, 'the progress of a run could not be written yet');
      uncertain = true;
      progress ??= state;
    }
  }

  async function dropWritten(): Promise<void> {
    if (!uncertain) return;
    const arrived = (await countLines(knex, run.Id)) - written;
    lines = lines.slice(arrived);
    written += arrived;
    uncertain = false;
  }

  return {
    log: (line) => {
      lines.push(line);
      schedule();
    },
    progress: (phase, share) => {
      progress = { Phase: phase.slice(0, PHASE_MAX), Share: share };
      schedule();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await writing;
      await dropWritten();
      return lines;
    },
  };
}

async function countLines(knex: Knex, runId: number): Promise<number> {
  const row = (await knex('RunLogEntries').where('ActivityRunId', runId).count({ count: '*' }).first()) as {
    count: number;
  };
  return Number(row.count);
}

async function writeWhileHeld(
  trx: Knex.Transaction,
  worker: string,
  run: ClaimedRun,
  progress: Progress | undefined,
  lines: RunLogLine[],
): Promise<boolean> {
  // Changing the row holds it until the lines are in, so that nobody ends the run in between.
  const changed = await held(trx, worker)
    .where({ Id: run.Id, Fence: run.Fence })
    .update(progress ?? { WorkerId: worker });
  if (changed === 0) return false;
  await insertLogLines(trx, run.Id, lines);
  return true;
}
