import type { RunInput } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { t } from '#renderer/language/translate.ts';

/** Where the value is one that nobody entered: whose it is; '' else. */
export function inputNote({ UseDefault, Value, FileName }: RunInput, type: ActivityRun['Type']): string {
  if (!UseDefault || Value !== null || FileName !== null) return '';
  return type === 'StoredProcedure' ? t('the default of the procedure') : t('the value of the workbook');
}
