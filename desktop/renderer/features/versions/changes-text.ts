import type { VersionChanges } from '#shared/contract/version-changes.ts';

type Counted = Pick<VersionChanges, 'Inputs' | 'Outputs' | 'Steps' | 'Procedure' | 'Workbook'>;

function countsOf({ Inputs, Outputs, Steps, Procedure = [], Workbook }: Counted): [number, string][] {
  return [
    [Procedure.length, 'procedure part'],
    [Inputs.length, 'input'],
    [Outputs.length, 'output'],
    [Steps.length, 'step'],
    [Workbook?.Sheets.length ?? 0, 'sheet'],
    [Workbook?.Names.length ?? 0, 'name'],
    [Workbook?.FormulaCount ?? 0, 'formula'],
    [Workbook?.ConstantCount ?? 0, 'constant'],
  ];
}

export const isUnchanged = (changes: Counted): boolean =>
  (changes.Workbook !== null || changes.Procedure !== undefined) && countsOf(changes).every(([count]) => count === 0);

/** '2 inputs and 1 formula differ.' */
export function changesSentence(changes: Counted): string {
  const parts = countsOf(changes)
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`);
  const purged =
    changes.Workbook || changes.Procedure ? '' : ' The file of one of them was purged: formulas cannot be compared.';
  if (parts.length === 0) return `Inputs, outputs and steps are the same.${purged}`;
  const [only = ''] = parts;
  const verb = parts.length === 1 && only.startsWith('1 ') ? 'differs' : 'differ';
  const list = parts.length === 1 ? only : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return `${list} ${verb}.${purged}`;
}
