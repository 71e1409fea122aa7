import type { Db, Dialect } from './types.ts';
import { mssqlDialect } from './mssql.ts';
import { pgDialect } from './pg.ts';

/** Returns the dialect of a pool or transaction. */
export function dialectOf(db: Db): Dialect {
  return (db.client as { dialect: string }).dialect === 'mssql' ? mssqlDialect : pgDialect;
}
