/**
 * `npm run test:again`: the files that failed in the last `npm test` once more. Ends with 1 where one fails again, where one draws its values
 * at random, where more failed than can be chance, or where no test was run at all; names those that pass now as flaky. Why: docs/decisions/0166-a-second-run-tells-flaky-tests.md.
 */
import { spawnSync } from 'node:child_process';
import { checksProperties, readFailedFiles } from './failed-test-files.ts';

const MOST_FLAKY_FILES = 3;

const files = readFailedFiles();
if (files.length === 0) {
  console.error('No file of tests failed in the last npm test: what failed was before them');
  process.exit(1);
}
if (files.length > MOST_FLAKY_FILES) {
  console.error(`${files.length} files of tests failed, which are too many to be flaky`);
  process.exit(1);
}
const ofProperties = files.filter(checksProperties);
if (ofProperties.length > 0) {
  console.error(
    `Once more they would draw other values, and what was found would be forgotten: ${ofProperties.join(', ')}`,
  );
  process.exit(1);
}
const { status } = spawnSync('npx', ['vitest', 'run', ...files], { stdio: 'inherit' });
for (const file of files) console.log(`${status === 0 ? 'flaky, to be mended' : 'among what failed'}: ${file}`);
process.exit(status === 0 ? 0 : 1);
