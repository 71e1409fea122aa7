import type { Knex } from 'knex';
import type { Db, Dialect } from './dialect/types.ts';

/**
 * Bytes that the file of a run's input or output takes: of one that is made of another, its delta's alone.
 * In a query of that row as V, beside its file as F.
 */
export const storedLength = (dialect: Dialect, db: Db): Knex.Raw =>
  db.raw('case when ?? is null then ?? else cast(? as bigint) end', [
    'F.BaseFileId',
    'V.ContentLength',
    dialect.byteLength(db, 'F.Delta'),
  ]);
