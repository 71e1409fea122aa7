import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';

/**
 * Returns the stored size in bytes of the file of a run's input or output; for a file stored as a delta, only the size
 * of the delta. The query must contain this row as V and its file as F.
 */
export const storedLength = (dialect: Dialect, db: Db): Knex.Raw =>
  db.raw('case when ?? is null then ?? else cast(? as bigint) end', [
    'F.BaseFileId',
    'V.ContentLength',
    dialect.byteLength(db, 'F.Delta'),
  ]);
