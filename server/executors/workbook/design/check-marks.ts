/** Checks marks by writing them into the workbook and reading it like any other. */
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import type { Mark } from '#shared/contract/designs.ts';
import type { Inspection } from '#server/executors/executor.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import { readDefinition } from '../definitions/read-definition.ts';
import { OURS } from '../engines.ts';
import type { Engines } from '../engines.ts';
import { fileProblem, inRegion, refused } from '../inspect.ts';
import { writeMarks } from '../marks/write-marks.ts';
import { createOwnCalculation } from '../own-calculation.ts';
import { openPackage } from '../package.ts';
import { measureGrowthSpace } from '../room/growth-space.ts';
import { problemsAtMarks } from './problems-at-marks.ts';

interface CheckOptions {
  fileName: string;
  marks: readonly Mark[];
  capabilities: StepCapabilities;
  /** The region for reading texts; null lets the file determine it. */
  region: WorkbookRegion | null;
}

/** Inspects the file without a fidelity report, because its calculation would take too long for every change. */
export async function checkMarks(
  bytes: Uint8Array,
  { fileName, marks, capabilities, region }: CheckOptions,
  engines: Engines,
): Promise<Inspection> {
  try {
    const source = await openPackage(await writeMarks(bytes, marks));
    const model = readWorkbook(source);
    const own = createOwnCalculation(model, engines.named(OURS));
    const { definition, problems } = readDefinition(model, capabilities, own.calculated, (table, parameters) =>
      measureGrowthSpace(source, model, table, parameters),
    );
    return {
      // Set the engine: without one, a run would first compare the workbook with its saved values.
      definition: definition && { ...inRegion(definition, region), engine: OURS },
      problems: problemsAtMarks(model, marks, problems),
      fidelity: null,
    };
  } catch (error) {
    if (error instanceof WorkbookFileError) return refused([fileProblem(fileName, error.message)]);
    throw error;
  }
}
