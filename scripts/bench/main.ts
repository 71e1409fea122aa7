/**
 * `npm run bench [NAME …]`: runs all benches, or the named ones. Results are ratios within one run. Nothing here is a
 * test.
 */
import { installPeers } from './install-peers.ts';

const BENCHES: Record<string, () => Promise<void>> = {
  calculation: async () => (await import('./calculation.ts')).benchCalculation(),
  evaluate: async () => (await import('./evaluate.ts')).benchEvaluate(),
  patterns: async () => (await import('./patterns.ts')).benchPatterns(),
  lists: async () => (await import('./lists.ts')).benchLists(),
  purge: async () => (await import('./purge.ts')).benchPurge(),
  spine: async () => (await import('./spine.ts')).benchSpine(),
  tableviews: async () => (await import('./tableviews.ts')).benchTableViews(),
  workflows: async () => (await import('./workflows.ts')).benchWorkflows(),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; choose from ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}
installPeers();
for (const [name, run] of Object.entries(BENCHES)) {
  if (asked.length === 0 || asked.includes(name)) await run();
}
