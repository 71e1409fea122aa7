/** Finds the files that an Import step reads from the folders an input names. */
import type { InputDefinition, StepDefinition } from '#server/executors/activity-definition.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import type { RunFile, StepContext } from './step-context.ts';

/**
 * Returns the newest file of each folder that matches the step's pattern, and logs it. If the input accepts blanks,
 * folders without such a file are skipped.
 */
export async function folderFiles(
  context: StepContext,
  { Step, options }: StepDefinition,
  input: InputDefinition,
): Promise<RunFile[]> {
  const { log, services } = context;
  const pattern = options['Pattern'] ?? '*';
  const mayBeMissing = input.Info.Blanks[0] === true;
  const folders = foldersIn(context, input);
  if (folders.length === 0 && !mayBeMissing)
    throw log.setupError(`Step '${Step}': the input '${input.Name}' names no folder`);
  const files: RunFile[] = [];
  for (const folder of folders) {
    const found = await services.newestFile({ folder, pattern });
    if (!found) {
      const message = `Step '${Step}': the folder '${folder}' has no file '${pattern}'`;
      if (!mayBeMissing) throw log.refusal(message, LogCode.StepRefused);
      log.done(message);
      continue;
    }
    const { FileName, ModifiedTime, bytes } = found;
    log.done(`Step '${Step}': '${FileName}' of the folder '${folder}', changed ${timeText(ModifiedTime)}`);
    files.push({ FileName, read: async () => bytes });
  }
  return files;
}

/** Returns the current contents of the input's cells: preset, chosen, or the workbook's own. */
function foldersIn({ calculation }: StepContext, { location }: InputDefinition): string[] {
  const block = calculation.now(location.sheet, location.block);
  const values = calculation.read(location.sheet, block).flat();
  return values.flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []));
}

/** Formats '2026-11-21T12:03:04.000Z' as '2026-11-21 12:03:04 UTC'. */
const timeText = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
