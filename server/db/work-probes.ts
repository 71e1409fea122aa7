import type { Knex } from 'knex';
import type { Database } from './database.ts';
import { prepared } from './prepared.ts';

type ProbeDatabase = Pick<Database, 'knex' | 'dialect'>;

/** Returns queries for a part of the server. If any of them finds a row, that part may have work to do. */
export type Question = (database: ProbeDatabase) => Knex.QueryBuilder[];

/** Work probe: resolves to true if there may be work, also if this is unknown. */
export type WorkProbe = () => Promise<boolean>;

/** How long answers are reused, so that parts that probe at about the same time share a statement. Milliseconds. */
const FRESH_MS = 900;

/**
 * How long a probe waits for the database. A part waits for its probe before it polls, so it would otherwise stop
 * working while a connection is dead, which the operating system may notice only after many minutes. Milliseconds.
 */
const TIME_LIMIT_MS = 10_000;

/**
 * Creates work probes that answer for all parts of an idle server with one statement. The parts then need not each
 * query the database only to find that they have no work. Work that arrives right after a probe is found by the next
 * one. A part that is notified of work polls without using its probe.
 */
export function createWorkProbes<Part extends string>(
  database: ProbeDatabase,
  questions: Readonly<Record<Part, Question>>,
  { freshMs = FRESH_MS, timeLimitMs = TIME_LIMIT_MS } = {},
): Readonly<Record<Part, WorkProbe>> {
  const parts = Object.keys(questions) as Part[];
  let last: { at: number; found: Promise<ReadonlySet<string>> } | undefined;

  async function findPartsWithWork(): Promise<ReadonlySet<string>> {
    const { knex } = database;
    const columns = parts.map((part) => {
      const found = questions[part](database).map((query) => query.select(knex.raw('1')));
      const any = found.map(() => 'exists (?)').join(' or ');
      return knex.raw(`case when ${any} then 1 else 0 end as ??`, [...found, part]);
    });
    // Not ended in the database, which may be unreachable: the connection is given up.
    const [row] = (await prepared(knex.select(columns)).timeout(timeLimitMs)) as Record<Part, number>[];
    return new Set(parts.filter((part) => row![part] === 1));
  }

  async function hasPendingWork(part: Part): Promise<boolean> {
    const at = performance.now();
    if (!last || at - last.at >= freshMs) last = { at, found: findPartsWithWork() };
    const asked = last;
    try {
      return (await asked.found).has(part);
    } catch {
      // The part then polls itself, which reports the error.
      if (last === asked) last = undefined;
      return true;
    }
  }

  return Object.fromEntries(parts.map((part) => [part, () => hasPendingWork(part)])) as Record<Part, WorkProbe>;
}

/** The work probe of a part that has none: the part always polls. */
export const ALWAYS: WorkProbe = () => Promise.resolve(true);
