/**
 * `npm run bench [NAME …]`: runs all benches, or the named ones. Results are ratios within one run. Nothing here is a
 * test.
 */
import { installPeers } from './install-peers.ts';

const BENCHES: Record<string, () => Promise<void>> = {
  administration: async () => (await import('./administration.ts')).benchAdministration(),
  automation: async () => (await import('./automation.ts')).benchAutomation(),
  calculation: async () => (await import('./calculation.ts')).benchCalculation(),
  chains: async () => (await import('./workflows.ts')).benchWorkflows(),
  'chain-plans': async () => (await import('./workflow-plans.ts')).benchWorkflowPlans(),
  desktop: async () => (await import('./desktop.ts')).benchDesktop(),
  evaluate: async () => (await import('./evaluate.ts')).benchEvaluate(),
  forms: async () => (await import('./forms.ts')).benchForms(),
  growing: async () => (await import('./growing.ts')).benchGrowing(),
  grid: async () => (await import('./grid.ts')).benchGrid(),
  patterns: async () => (await import('./patterns.ts')).benchPatterns(),
  pickers: async () => (await import('./pickers.ts')).benchPickers(),
  procedures: async () => (await import('./procedures.ts')).benchProcedures(),
  purge: async () => (await import('./purge.ts')).benchPurge(),
  screens: async () => (await import('./screens.ts')).benchScreens(),
  spine: async () => (await import('./spine.ts')).benchSpine(),
  tableviews: async () => (await import('./tableviews.ts')).benchTableViews(),
  workers: async () => (await import('./workers.ts')).benchWorkers(),
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
