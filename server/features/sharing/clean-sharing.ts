import type { Database } from '#server/db/database.ts';
import type { GrantsService } from '#server/features/rights/grants-service.ts';
import { deleteOldAccess } from './access-notices-repository.ts';
import { endExpiredLinks } from './public-links-service.ts';

/** Ends public links that have expired, and deletes old requests and notices. */
export async function cleanSharing(
  database: Pick<Database, 'knex' | 'dialect'>,
  grants: Pick<GrantsService, 'changeTogether' | 'lock'>,
): Promise<void> {
  await endExpiredLinks(database, grants);
  await deleteOldAccess(database);
}
