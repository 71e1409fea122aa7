import type { InputDefinition } from '#server/executors/executor.ts';
import { isFolderUsage } from '#shared/codecs/input-form.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';

/**
 * Lets an input of folders be filled in with the static folders of this server and nothing else. A list of the workbook says which
 * of them a person may choose in a run; whoever edits the activity may preset any.
 */
export function offerFolders(input: InputDefinition, folders: readonly string[]): InputDefinition {
  const { Info, pickerItems } = input;
  if (!Info.CellUsages.some(isNamed)) return input;
  const Pickers = Info.Pickers.map((picker, column) =>
    isNamed(Info.CellUsages[column]) ? { Type: 'List' as const, PreventOtherValues: true } : picker,
  );
  const items = pickerItems.map((own, column) => {
    const usage = Info.CellUsages[column];
    return isFolderUsage(usage) ? foldersOf(usage === 'FolderPath' ? own : null, folders) : own;
  });
  return { ...input, Info: { ...Info, Pickers }, pickerItems: items };
}

/** Connections, too, are chosen from a list: each person has an own one, which the picker alone knows. */
const isNamed = (usage: CellUsage | undefined): boolean => isFolderUsage(usage) || usage === 'ConnectionString';

function foldersOf(own: readonly string[] | null, folders: readonly string[]): string[] {
  if (own === null) return [...folders];
  const named = new Set(own.map((name) => name.trim().toLowerCase()));
  return folders.filter((name) => named.has(name.toLowerCase()));
}
