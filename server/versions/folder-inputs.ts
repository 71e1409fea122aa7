import type { InputDefinition } from '#server/executors/activity-definition.ts';
import { isFolderUsage } from '#shared/codecs/input-form.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';

/**
 * Restricts an input for folders to the static folders of this server. A list in the workbook limits which of them a
 * person may choose for a run; people who edit the activity may preset any of them.
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

/** Connections are chosen from a list as well, which differs per person and comes from the picker. */
const isNamed = (usage: CellUsage | undefined): boolean => isFolderUsage(usage) || usage === 'ConnectionString';

function foldersOf(own: readonly string[] | null, folders: readonly string[]): string[] {
  if (own === null) return [...folders];
  const named = new Set(own.map((name) => name.trim().toLowerCase()));
  return folders.filter((name) => named.has(name.toLowerCase()));
}
