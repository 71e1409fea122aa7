import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';

/**
 * Whether this is a server of another maker that speaks SQL Server's protocol. Tests of what such servers are known to do otherwise are
 * skipped there, with Microsoft's words as the reason.
 */
export async function isOtherMakersServer(knex: Knex): Promise<boolean> {
  if (dialectOf(knex).name !== 'mssql') return false;
  const [row] = (await knex.raw('select @@version as [version]')) as { version: string }[];
  return !row!.version.startsWith('Microsoft');
}

/** Source: LIKE (Transact-SQL), "Pattern matching with the ESCAPE clause". */
export const ESCAPED_WILDCARDS =
  "LIKE … ESCAPE: 'Pattern matching with the ESCAPE clause' finds wildcards as characters, this server does not";

/** Source: Table hints (Transact-SQL), UPDLOCK and HOLDLOCK. */
export const IGNORED_LOCK_HINTS =
  "UPDLOCK, HOLDLOCK: 'Table hints' has whoever reads a range wait for who holds it, on this server readers never wait";
