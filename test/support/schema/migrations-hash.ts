import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS_FOLDER } from '#server/db/migrate.ts';

/**
 * Returns a hash that changes when a migration is added or changed. It does not depend on the line endings of the
 * checkout.
 */
export function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS_FOLDER).sort()) {
    hash.update(`${file}\n${readFileSync(join(MIGRATIONS_FOLDER, file), 'utf8').replaceAll('\r\n', '\n')}`);
  }
  return hash.digest('hex').slice(0, 16);
}
