/** `npm run bench [NAME …]`: all benches, or those named. Ratios within one run; nothing here is a test. */
import { benchAdministration } from './administration.ts';
import { benchCalculation } from './calculation.ts';
import { benchForms } from './forms.ts';
import { benchPatterns } from './patterns.ts';
import { benchPickers } from './pickers.ts';
import { benchPurge } from './purge.ts';
import { benchSpine } from './spine.ts';
import { benchWorkers } from './workers.ts';

const BENCHES: Record<string, () => Promise<void>> = {
  administration: benchAdministration,
  calculation: () => benchCalculation(),
  forms: benchForms,
  patterns: () => benchPatterns(),
  pickers: benchPickers,
  purge: benchPurge,
  spine: benchSpine,
  workers: benchWorkers,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
for (const [name, run] of Object.entries(BENCHES)) {
  if (asked.length === 0 || asked.includes(name)) await run();
}
