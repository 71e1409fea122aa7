import type { RunInput } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { t } from '#renderer/language/translate.ts';

/** Returns the source of a value that nobody entered; '' for entered values. */
export function inputNote({ UseDefault, Value, FileName }: RunInput, type: ActivityRun['Type']): string {
  if (!UseDefault || Value !== null || FileName !== null) return '';
  return type === 'StoredProcedure' ? t('the default of the procedure') : t('the value of the workbook');
}
