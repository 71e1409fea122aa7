/** The engine that runs and forms of a version calculate with. */
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { compareWithSaved } from '#server/calculation/fidelity.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition } from '#server/executors/executor.ts';
import { watchedBlocks } from '../definitions/watched-cells.ts';
import { OURS } from '../engines.ts';
import type { Engines } from '../engines.ts';

/** An engine that earlier releases had; versions that name none were published when it was the only one. */
const GONE = 'ironcalc';

/**
 * The engine the version was checked with when it was published. Where that one is gone, ours is checked again with the values saved in the
 * file, and taken where it agrees in everything that a run reads. Throws CalculationError 'unsupported' where no engine here is known to agree.
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
    `This version of the activity was published with a calculation engine that Runsheet does not use any more, and the present one ${what}. ` +
      `An editor can upload the workbook as a new version, whose report shows what differs.`,
  );
}
