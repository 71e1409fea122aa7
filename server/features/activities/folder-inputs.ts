import type { InputDefinition } from '#server/executors/executor.ts';
import { isFolderUsage } from '#shared/codecs/input-form.ts';

/**
 * Lets an input of folders be filled in with the static folders of this server and nothing else. A list of the workbook says which
 * of them a person may choose in a run; whoever edits the activity may preset any.
 */
export function offerFolders(input: InputDefinition, folders: readonly string[]): InputDefinition {
  const { Info, pickerItems } = input;
  if (!Info.CellUsages.some(isFolderUsage)) return input;
  const Pickers = Info.Pickers.map((picker, column) =>
    isFolderUsage(Info.CellUsages[column]) ? { Type: 'List' as const, PreventOtherValues: true } : picker,
  );
  const items = pickerItems.map((own, column) => {
    const usage = Info.CellUsages[column];
    return isFolderUsage(usage) ? foldersOf(usage === 'FolderPath' ? own : null, folders) : own;
  });
  return { ...input, Info: { ...Info, Pickers }, pickerItems: items };
}

function foldersOf(own: readonly string[] | null, folders: readonly string[]): string[] {
  if (own === null) return [...folders];
  const named = new Set(own.map((name) => name.trim().toLowerCase()));
  return folders.filter((name) => named.has(name.toLowerCase()));
}
