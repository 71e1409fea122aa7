/** The worker-thread tasks for designs. */
import { CalculationError } from '#server/calculation/engine.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { Engines } from '../engines.ts';
import { calculationProblem, fileProblem } from '../inspect.ts';
import { writeMarks } from '../marks/write-marks.ts';
import { LAST_VERSION, transferable } from '../pool/messages.ts';
import type { DesignTask, TaskResult, Wanted } from '../pool/messages.ts';
import { checkMarks } from './check-marks.ts';
import { openDesign } from './open-design.ts';

interface DesignTools {
  /** Requests a file from the main thread. */
  want: (wanted: Wanted) => Promise<Uint8Array>;
  engines: Engines;
  /** Called when the engine has reached its limits: the thread must not be reused. */
  onBroken: () => void;
}

export async function designResult(task: DesignTask, { want, engines, onBroken }: DesignTools): Promise<TaskResult> {
  const bytes = await want({ what: 'workbook' });
  try {
    if (task.kind === 'checkMarks') return await checkMarks(bytes, task, engines);
    if (task.kind === 'writeMarks') return { bytes: transferable(await writeMarks(bytes, task.marks)) };
    const lastVersion = task.hasLastVersion ? await want({ what: 'input', name: LAST_VERSION, index: 0 }) : null;
    return await openDesign(bytes, { file: lastVersion, region: task.region }, engines);
  } catch (error) {
    if (error instanceof WorkbookFileError) return { refusedBecause: fileProblem(task.fileName, error.message) };
    if (error instanceof CalculationError) {
      onBroken();
      return { refusedBecause: calculationProblem(error.message) };
    }
    throw error;
  }
}
