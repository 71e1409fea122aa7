import { createHash } from 'node:crypto';
import type { Db } from '#server/db/dialect/types.ts';
import type { UserRow } from './users-repository.ts';
import { userNameKey } from './users-repository.ts';

/** The source of a user who is not local. */
export interface UserSource {
  Source: 'AD' | 'SSO';
  /** Key of the directory, or full name of the provider, such as saml2:corp. */
  SourceName: string;
  /** Name of the user at the source. */
  SourceUserName: string;
}

/** Directories ignore the case of names. Names of providers are compared exactly. */
function sourceKey({ Source, SourceName, SourceUserName }: UserSource): string {
  const name = Source === 'AD' ? userNameKey(SourceUserName) : SourceUserName;
  return createHash('sha256')
    .update(JSON.stringify([Source, SourceName.toLowerCase(), name]))
    .digest('base64url');
}

export async function findUserBySource(db: Db, source: UserSource): Promise<UserRow | undefined> {
  return db('Users as u')
    .join('UserSources as s', 's.UserId', 'u.UserId')
    .where({ 's.SourceKey': sourceKey(source) })
    .select('u.*')
    .first<UserRow | undefined>();
}

export async function findSourceOfUser(
  db: Db,
  UserId: number,
): Promise<Pick<UserSource, 'SourceName' | 'SourceUserName'> | undefined> {
  return db('UserSources').where({ UserId }).select('SourceName', 'SourceUserName').first();
}

export async function insertUserSource(db: Db, UserId: number, source: UserSource, SourceInfo: string): Promise<void> {
  const { SourceName, SourceUserName } = source;
  await db('UserSources').insert({
    SourceKey: sourceKey(source),
    UserId,
    SourceName,
    SourceUserName,
    SourceInfo: SourceInfo.slice(0, 512),
  });
}
