import type { Knex } from 'knex';
import type { Database } from './database.ts';
import { prepared } from './prepared.ts';

type LookoutDatabase = Pick<Database, 'knex' | 'dialect'>;

/** Finds a row, by any of the queries, where there may be something for a part of the server to do. */
export type Question = (database: LookoutDatabase) => Knex.QueryBuilder[];

/** Whether there may be something; true where nobody knows. */
export type MayBe = () => Promise<boolean>;

/** Answers are given again for so long: those who look now and then share a statement. Milliseconds. */
const FRESH_MS = 900;

/**
 * Asks for all parts of an idle server in one statement, so that each need not go to the database to find that it has nothing to do. What
 * comes a moment after a look is found by the next; who is told of something looks for it without asking here.
 */
export function createLookout<Part extends string>(
  database: LookoutDatabase,
  questions: Readonly<Record<Part, Question>>,
  freshMs = FRESH_MS,
): Readonly<Record<Part, MayBe>> {
  const parts = Object.keys(questions) as Part[];
  let last: { at: number; found: Promise<ReadonlySet<string>> } | undefined;

  async function look(): Promise<ReadonlySet<string>> {
    const { knex } = database;
    const columns = parts.map((part) => {
      const found = questions[part](database).map((query) => query.select(knex.raw('1')));
      const any = found.map(() => 'exists (?)').join(' or ');
      return knex.raw(`case when ${any} then 1 else 0 end as ??`, [...found, part]);
    });
    const [row] = (await prepared(knex.select(columns))) as Record<Part, number>[];
    return new Set(parts.filter((part) => row![part] === 1));
  }

  async function mayBe(part: Part): Promise<boolean> {
    const at = performance.now();
    if (!last || at - last.at >= freshMs) last = { at, found: look() };
    const asked = last;
    try {
      return (await asked.found).has(part);
    } catch {
      // Whoever looks for itself learns what is wrong, and tells of it.
      if (last === asked) last = undefined;
      return true;
    }
  }

  return Object.fromEntries(parts.map((part) => [part, () => mayBe(part)])) as Record<Part, MayBe>;
}

/** For a server that does not ask. */
export const ALWAYS: MayBe = () => Promise.resolve(true);
