import { HTMLSelect } from '@blueprintjs/core';
import type { RegionId } from '#shared/contract/auth.ts';
import { regionNames } from '#renderer/language/region-names.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';

interface WorkbookRegionFieldProps {
  /** '' uses the region of the file. */
  chosen: RegionId | '';
  onChoose: (region: RegionId | '') => void;
  /** Describes what is known about the region. */
  helper: string;
  isDisabled: boolean;
}

/** Chooses the region by which a workbook is calculated and by which its imports read files. */
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
          <option value="">{t('As set in the file')}</option>
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
