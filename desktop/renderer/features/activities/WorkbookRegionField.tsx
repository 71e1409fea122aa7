import { HTMLSelect } from '@blueprintjs/core';
import type { RegionId } from '#shared/contract/auth.ts';
import { regionNames } from '#renderer/language/region-names.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';

interface WorkbookRegionFieldProps {
  /** '' leaves it to the file. */
  chosen: RegionId | '';
  onChoose: (region: RegionId | '') => void;
  /** What is known of the region now. */
  helper: string;
  isDisabled: boolean;
}

/** Chooses by which region a workbook is calculated and its imports read files. */
export function WorkbookRegionField({ chosen, onChoose, helper, isDisabled }: WorkbookRegionFieldProps) {
  return (
    <FormField label={t('Region of the workbook')} helper={helper}>
      {({ intent: _intent, ...field }) => (
        <HTMLSelect
          {...field}
          value={chosen}
          disabled={isDisabled}
          onChange={(event) => onChoose(event.currentTarget.value as RegionId | '')}
        >
          <option value="">{t('As the file says')}</option>
          {regionNames().map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </HTMLSelect>
      )}
    </FormField>
  );
}
