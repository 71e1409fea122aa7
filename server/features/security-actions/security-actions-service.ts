import type { SecurityAction, SecurityActionSearch } from '#shared/contract/security.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { actionHash, type SecurityActionRow } from '#server/access/audit/action-hash.ts';
import { findLastAction } from '#server/access/audit/action-rows.ts';
import { findActionTime, listActionsAfter, searchActions, type ActionSearch } from './security-actions-repository.ts';

const PAGE = 100;
const CHUNK = 2000;
/** Maximum number of rows that one call scans; takes the database about 0.1 s if none matches. */
const MAX_SCANNED_ROWS = 20_000;
/** Maximum difference between the clocks of database servers that take over from each other. */
const CLOCKS_MS = 3_600_000;

export interface ChainReport {
  /** Number of checked rows. */
  count: number;
  /** The last unaltered row; Id 0 if there is none. */
  last: { Id: number; Hash: string };
  /** The first altered row, and what is wrong with it; null if all rows are unaltered. */
  defect: { Id: number; reason: string } | null;
}

export interface SecurityActionsService {
  /** Returns a page of the log before an id, newest first; 0 for the newest. The next page continues at `LookedTo`. */
  list(
    lastId: number,
    search?: SecurityActionSearch,
  ): Promise<{ Items: SecurityAction[]; HasMore: boolean; LookedTo: number }>;
  /** Returns a download token of the whole log as a file of JSON lines, oldest first. */
  download(person: Person): Promise<string>;
}

export function createSecurityActionsService(
  { knex }: Pick<Database, 'knex'>,
  files: Pick<FilesService, 'tokenForNew'>,
  maxScannedRows = MAX_SCANNED_ROWS,
): SecurityActionsService {
  return {
    list: async (lastId, asked = {}) => {
      const search = searchOf(asked);
      const before = lastId > 0 ? lastId : ((await findLastAction(knex))?.Id ?? 0) + 1;
      // Ids have no gaps, so a range of ids contains as many rows.
      const from = Math.max(1, before - maxScannedRows);
      const rows = await searchActions(knex, { from, before }, search, PAGE + 1);
      const Items = rows.slice(0, PAGE).map(shownRow);
      if (rows.length > PAGE) return { Items, HasMore: true, LookedTo: Items.at(-1)!.Id };
      return { Items, HasMore: from > 1 && !(await isPast(knex, from, search)), LookedTo: from };
    },
    download: (person) => files.tokenForNew(person, 'security actions.jsonl', actionLines(knex)),
  };
}

function searchOf({ Search = '', Meant = '', Action, From, Until }: SecurityActionSearch): ActionSearch {
  const dateOf = (time: string | undefined): Date | null => (time === undefined ? null : new Date(time));
  const meant = Meant.split(';').map((names) => names.split(',').filter(Boolean));
  const words = Search.split(/\s+/).filter(Boolean);
  return {
    words: words.map((text, index) => ({ text, names: meant[index] ?? [] })),
    action: Action ?? null,
    from: dateOf(From),
    until: dateOf(Until),
  };
}

/** Returns whether all earlier rows are older than the searched period. */
async function isPast(knex: Database['knex'], id: number, { from }: ActionSearch): Promise<boolean> {
  const time = from && (await findActionTime(knex, id));
  return from !== null && time !== null && time.getTime() < from.getTime() - CLOCKS_MS;
}

function shownRow({ UserId: _user, PreviousHash: _previous, Hash: _hash, ...row }: SecurityActionRow): SecurityAction {
  return { ...row, Time: row.Time.toISOString() };
}

async function* rowsInOrder(knex: Database['knex']): AsyncGenerator<SecurityActionRow[]> {
  for (let last = 0; ;) {
    const rows = await listActionsAfter(knex, last, CHUNK);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)!.Id;
  }
}

async function* actionLines(knex: Database['knex']): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const rows of rowsInOrder(knex)) {
    yield encoder.encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}

/**
 * Recomputes every hash of the log. `expected` is a row noted earlier outside of the database. Without it, rows that
 * were cut off at the end cannot be detected.
 */
export async function verifyChain(
  knex: Database['knex'],
  expected?: { Id: number; Hash: string },
): Promise<ChainReport> {
  let previous = { Id: 0, Hash: '' };
  let count = 0;
  for await (const rows of rowsInOrder(knex)) {
    for (const row of rows) {
      const reason = defectOf(row, previous, expected);
      if (reason !== null) return { count, last: previous, defect: { Id: row.Id, reason } };
      previous = { Id: row.Id, Hash: row.Hash };
      count += 1;
    }
  }
  const isCut = expected !== undefined && expected.Id > previous.Id;
  const defect = isCut ? { Id: expected.Id, reason: 'is missing: the log was cut off' } : null;
  return { count, last: previous, defect };
}

function defectOf(
  row: SecurityActionRow,
  previous: { Id: number; Hash: string },
  expected: { Id: number; Hash: string } | undefined,
): string | null {
  const { Id } = row;
  if (Id !== previous.Id + 1) return `follows ${previous.Id}: rows between are missing`;
  if (row.PreviousHash !== previous.Hash) return 'is not chained to the row before it';
  if (actionHash(row) !== row.Hash) return 'was changed after it was written';
  if (expected?.Id === Id && expected.Hash !== row.Hash) return 'has another hash than the one expected';
  return null;
}
