import { Button, Dialog, DialogBody, DialogFooter, FormGroup, HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { formatCellValue } from '#shared/codecs/format-value.ts';
import { regionOf } from '#shared/codecs/text-region.ts';
import type { RegionId } from '#shared/contract/auth.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { browserRegionOf, chooseRegion } from '#renderer/language/language.ts';
import { regionNames } from '#renderer/language/region-names.ts';
import { t } from '#renderer/language/translate.ts';
import { showError } from '#renderer/ui/toaster.tsx';

export interface RegionDialogProps {
  isOpen: boolean;
  chosen: RegionId | null;
  onClose: () => void;
}

/** 3 April 2026: the order of its numbers reveals which one is the day. */
const EXAMPLE_DAY = 46_115;

/** Chooses the region for typing, parsing and displaying values. */
export function RegionDialog({ isOpen, chosen, onClose }: RegionDialogProps) {
  const [region, setRegion] = useState(chosen);
  const [isSaving, setSaving] = useState(false);
  const shown = regionOf(region ?? browserRegionOf());
  const save = (): void => {
    setSaving(true);
    // Reloads the page on success.
    chooseRegion(region).catch((error: unknown) => {
      setSaving(false);
      showError(toFailure(error).message);
    });
  };
  return (
    <Dialog isOpen={isOpen} title={t('Region of numbers and dates')} onClose={onClose} icon={null}>
      <DialogBody>
        <p>
          {t(
            'Numbers and dates that you type, paste and see follow this region, as in Excel. Workbooks are calculated with their own region.',
          )}
        </p>
        <FormGroup label={t('Region')} labelFor="region-choice">
          <HTMLSelect
            id="region-choice"
            fill
            value={region ?? ''}
            onChange={(event) => setRegion((event.currentTarget.value || null) as RegionId | null)}
          >
            <option value="">{t('Same as the browser')}</option>
            {regionNames().map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </HTMLSelect>
        </FormGroup>
        <dl className="rs-region-examples">
          <dt>{t('Number')}</dt>
          <dd>{formatCellValue(-1234.5, '#,##0.00', 'Number', shown)}</dd>
          <dt>{t('Date of 3 April 2026')}</dt>
          <dd>{formatCellValue(EXAMPLE_DAY, 'm/d/yyyy', 'Date', shown)}</dd>
        </dl>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('Cancel')} onClick={onClose} />
            <Button intent="primary" text={t('Save')} loading={isSaving} onClick={save} />
          </>
        }
      />
    </Dialog>
  );
}
