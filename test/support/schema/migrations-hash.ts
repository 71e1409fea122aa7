import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS_FOLDER } from '#server/db/migrate.ts';

/** Changes when a migration is added or changed. The same whatever line ends a checkout has. */
export function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS_FOLDER).sort()) {
    hash.update(`${file}\n${readFileSync(join(MIGRATIONS_FOLDER, file), 'utf8').replaceAll('\r\n', '\n')}`);
  }
  return hash.digest('hex').slice(0, 16);
}
