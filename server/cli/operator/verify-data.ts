/**
 * `npm run verify-data [-- --read]`: whether each stored file is there (with --read: and has the bytes it was stored with), which files
 * nothing refers to, and whether the log of security actions is as it was written. Ends with 1 where something is wrong.
 */
import { parseArgs } from 'node:util';
import { exitOnStartError } from '#server/base/start-error.ts';
import { verifyDataCommand } from '#server/compose/backup-commands.ts';
import { loadConfig } from '#server/config/load-config.ts';

function run() {
  const { values } = parseArgs({ options: { read: { type: 'boolean', default: false } } });
  return verifyDataCommand(loadConfig(), { readFiles: values.read });
}

const SHOWN = 20;
const { files, unreferenced, chain, ...faults } = await run().catch(exitOnStartError);
const texts = {
  missing: 'files are missing in the store',
  changed: 'files are not as they were stored',
};
for (const [kind, text] of Object.entries(texts) as [keyof typeof texts, string][]) {
  const ids = faults[kind];
  if (ids.length === 0) continue;
  console.error(`${ids.length} ${text}: ${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ', …' : ''}`);
  process.exitCode = 1;
}
if (chain.fault) {
  console.error(`The log of security actions is not as it was written: row ${chain.fault.Id} ${chain.fault.reason}.`);
  process.exitCode = 1;
}
console.log(`${files} stored files and ${chain.count} security actions were looked at.`);
console.log(`${unreferenced} files in the store belong to no row; the portal removes such files after a day.`);
