/** Checks the Prompt step of the Portal sheet. */
import { PROMPT_TYPES } from '#server/executors/step-services.ts';
import { heightOf, intersects, widthOf } from './blocks.ts';
import { checkArea } from './step-scope.ts';
import type { StepScope } from './step-scope.ts';

const MINUTES = 10;
/** Maximum time to answer: one day. Users who have not answered by then start the run again. */
const MAX_MINUTES = 1440;

/** Returns how many minutes a prompt may be answered. */
export const promptMinutes = (text: string | undefined): number => (text === undefined ? MINUTES : Number(text));

export function checkPrompt(scope: StepScope): void {
  const { reader, options, outputs, step } = scope;
  const type = reader.choice('Type', PROMPT_TYPES);
  const minutes = promptMinutes(options['Minutes']);
  if (!(minutes > 0 && minutes <= MAX_MINUTES))
    reader.addProblem(
      'Minutes',
      `Minutes must be a number up to ${MAX_MINUTES}.`,
      'Enter how many minutes there are to answer.',
    );
  const area = checkArea(scope, 'Cell');
  if (!area) return;
  if (heightOf(area.block) * widthOf(area.block) > 1)
    reader.addProblem('Cell', `Cell of the step '${step}' refers to more than one cell.`, 'Enter a single cell.');
  if (type !== 'Masked') return;
  const shown = outputs.find((draft) => draft.area.sheet === area.sheet && intersects(draft.area.block, area.block));
  if (shown)
    reader.addProblem(
      'Cell',
      `The output '${shown.name}' would show the answer to a masked prompt.`,
      'Use a separate cell for the prompt.',
    );
  scope.masked.push(area);
}
