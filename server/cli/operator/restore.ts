/**
 * `npm run restore -- FILE`: brings a backup back into an empty database and an empty file store, with the settings of the server that is
 * to run on them. Cut short, it is run again.
 */
import { exitOnStartError, StartError } from '#server/base/start-error.ts';
import { restoreCommand } from '#server/compose/backup-commands.ts';
import { loadConfig } from '#server/config/load-config.ts';

async function run() {
  const [path, ...more] = process.argv.slice(2);
  if (path === undefined || more.length > 0) throw new StartError('usage: runsheet restore FILE');
  return restoreCommand(loadConfig(), path);
}

const { time, files, tables, damagedFiles, hasOtherKey } = await run().catch(exitOnStartError);
console.log(`Restored ${tables === null ? 'no database' : `${tables} tables`} and ${files} files as of ${time}.`);
if (damagedFiles.length > 0) console.error(`${damagedFiles.length} files were damaged when the backup was made.`);
if (hasOtherKey) {
  console.error(
    'The secret key here is not the one of the backup: before the first start put that key in place, or second factors have to be set up anew.',
  );
}
