/** Selects the engine for runs and forms of a version. */
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { compareWithSaved } from '#server/calculation/fidelity.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { watchedBlocks } from '../definitions/watched-cells.ts';
import { OURS } from '../engines.ts';
import type { Engines } from '../engines.ts';

/** An engine of earlier releases. Versions without an engine name were published when it was the only one. */
const GONE = 'ironcalc';

/**
 * Returns the engine that the version was checked with when it was published. If that engine no longer exists, compares
 * our engine with the values saved in the file, and returns it if everything that a run reads matches. Throws
 * CalculationError 'unsupported' if no available engine is known to match.
 */
export function engineOfVersion(
  engines: Engines,
  { engine = GONE, outputs, steps }: ActivityDefinition,
  model: WorkbookModel,
): CalculationEngine {
  if (engine !== GONE) return engines.named(engine);
  const ours = engines.named(OURS);
  const areas = outputs.map(({ location }) => location);
  const watched = watchedBlocks(model, areas, steps);
  const { cells, unsupported } = compareWithSaved(model, ours, watched.length > 0 ? watched : null);
  const different = cells.find(({ feedsOutput }) => feedsOutput);
  if (different) throw gone(`differs from the value saved in ${different.sheet}!${different.cell}`);
  const lacking = unsupported.find(({ feedsOutput }) => feedsOutput);
  if (lacking) throw gone(`does not have ${lacking.name} (${lacking.first})`);
  return ours;
}

function gone(what: string): CalculationError {
  return new CalculationError(
    'unsupported',
    `This version of the activity was published with a calculation engine that Runsheet no longer uses, and the current one ${what}. ` +
      `An editor can upload the workbook as a new version, whose report shows what differs.`,
  );
}
