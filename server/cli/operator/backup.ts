/**
 * `npm run backup -- FOLDER [--keep N]`: one file of database and stored files, made while the portal runs, with the same settings as the
 * server's. Ends with 1 where files were missing or damaged; the backup is there all the same.
 */
import { parseArgs } from 'node:util';
import { exitOnStartError, StartError } from '#server/base/start-error.ts';
import { backUpCommand } from '#server/compose/backup-commands.ts';
import { loadConfig } from '#server/config/load-config.ts';

const USAGE = 'usage: runsheet backup FOLDER_OR_FILE [--keep NUMBER]';

async function run() {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { keep: { type: 'string' } } });
  const [target, ...more] = positionals;
  if (target === undefined || more.length > 0) throw new StartError(USAGE);
  if (values.keep !== undefined && !/^[1-9]\d{0,4}$/.test(values.keep)) throw new StartError(USAGE);
  return backUpCommand(loadConfig(), { target, keep: values.keep === undefined ? undefined : Number(values.keep) });
}

const { path, sha256, tables, files, damagedFiles, deleted } = await run().catch(exitOnStartError);
console.log(`${path} holds ${tables === null ? 'no database' : `${tables} tables`} and ${files} files.`);
console.log(`Its SHA-256 is ${sha256}, which also lies beside it.`);
console.log('The secret key is not in it: keep it elsewhere (docs/operating.md).');
if (tables === null) {
  console.log('Back up the SQL Server database by BACKUP DATABASE, each time before the files (docs/operating.md).');
}
for (const name of deleted) console.log(`Deleted the older ${name}.`);
if (damagedFiles.length > 0) {
  console.error(
    `${damagedFiles.length} files are missing or not as they were stored: ${damagedFiles.slice(0, 20).join(', ')}`,
  );
  process.exitCode = 1;
}
