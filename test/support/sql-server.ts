import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';

/**
 * Returns true for a compatible server of another vendor, which speaks SQL Server's protocol. Tests of known
 * differences are skipped on such servers, with a reason from Microsoft's documentation.
 * Babelfish 4.4 crashes with all its connections (signal 11) if an UPDATE changes the source of a persisted computed
 * column (the end of a run) and its OUTPUT returns a text or a time. Statements on runs that end therefore return
 * numbers.
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

/**
 * Source: [MS-TDS] 2.2.1.7 "Attention": "the server SHOULD … stop processing"; KILL and attention end the current
 * statement.
 */
export const LATE_ATTENTION =
  'attention: SQL Server ends the statement under way, this server hears it when that has ended';

/**
 * Source: datetime2, datetimeoffset, time (Transact-SQL): "The fractional seconds precision … 0 to 7"; OUTPUT
 * parameters can have these types.
 */
export const NO_SCALES =
  'datetime2(n), datetimeoffset(n), time(n): SQL Server keeps 0 to 7 digits of a second, this server 6, and takes none as OUTPUT';

/** Source: "Database identifiers", Delimited identifiers; QUOTENAME (Transact-SQL): a right bracket within brackets is doubled. */
export const NAMES_IN_BRACKETS =
  'types with quotes and brackets in their names: SQL Server takes any character within brackets, this server does not';

/** Source: sys.dm_db_partition_stats (Transact-SQL), row_count; sys.partitions (Transact-SQL), rows. */
export const PARTITION_STATS =
  "the catalog: 'sys.partitions' counts the rows of each partition, this server answers none";

/** Source: RAISERROR (Transact-SQL), NOWAIT: "Sends messages immediately to the client". */
export const LATE_MESSAGES =
  'RAISERROR … WITH NOWAIT: SQL Server sends the message at once, this server with the end of the statement';

/** Source: FORMAT (Transact-SQL), culture. */
export const NO_CULTURES =
  "FORMAT(…, 'R', 'en-US'): SQL Server has the cultures of .NET, this server those of its machine";

/**
 * Source: OUTPUT clause (Transact-SQL), "Returns information from … each row affected"; "Transaction locking and row
 * versioning guide": rows to update are read with an update lock.
 */
export const STALE_OUTPUT =
  'OUTPUT: SQL Server answers the row as it was written, this server as it was before an update that came between';

/** Source: SET LOCK_TIMEOUT (Transact-SQL), "error 1222". */
export const NO_LOCK_TIMEOUT_ERROR =
  'SET LOCK_TIMEOUT: SQL Server answers error 1222, this server one that is none of its own';

/**
 * Source: [MS-TDS] 2.2.5.4.4, nvarchar is UCS-2. SQL Server stores unpaired surrogates unchanged; compatible servers of
 * other vendors reject them.
 */
export const UNPAIRED_SURROGATE = /invalid UTF16 byte sequence/;
