import type { VersionChanges } from '#shared/contract/version-changes.ts';
import { t } from '#renderer/language/translate.ts';

type Counted = Pick<VersionChanges, 'Inputs' | 'Outputs' | 'Steps' | 'Procedure' | 'Workbook'>;

/** Returns the number of differences of each kind and the text for it. */
function countsOf({ Inputs, Outputs, Steps, Procedure = [], Workbook }: Counted): [number, string][] {
  return [
    [Procedure.length, t('{count, plural, one {# procedure part} other {# procedure parts}}')],
    [Inputs.length, t('{count, plural, one {# input} other {# inputs}}')],
    [Outputs.length, t('{count, plural, one {# output} other {# outputs}}')],
    [Steps.length, t('{count, plural, one {# step} other {# steps}}')],
    [Workbook?.Sheets.length ?? 0, t('{count, plural, one {# sheet} other {# sheets}}')],
    [Workbook?.Names.length ?? 0, t('{count, plural, one {# name} other {# names}}')],
    [Workbook?.FormulaCount ?? 0, t('{count, plural, one {# formula} other {# formulas}}')],
    [Workbook?.ConstantCount ?? 0, t('{count, plural, one {# constant} other {# constants}}')],
  ];
}

export const isUnchanged = (changes: Counted): boolean =>
  (changes.Workbook !== null || changes.Procedure !== undefined) && countsOf(changes).every(([count]) => count === 0);

/** Returns '2 inputs and 1 formula differ.' */
export function changesSentence(changes: Counted): string {
  const counts = countsOf(changes).filter(([count]) => count > 0);
  const purged =
    changes.Workbook || changes.Procedure
      ? ''
      : ` ${t('The file of one version was purged, so formulas cannot be compared.')}`;
  if (counts.length === 0) return `${t('Inputs, outputs and steps are the same.')}${purged}`;
  const parts = counts.map(([count, text]) => t(text, { count }));
  const list =
    parts.length === 1
      ? parts[0]
      : t('{names} and {last}', { names: parts.slice(0, -1).join(', '), last: parts.at(-1) });
  const isOne = counts.length === 1 && counts[0]![0] === 1;
  return `${isOne ? t('{list} differs.', { list }) : t('{list} differ.', { list })}${purged}`;
}
