/** Texts about the region of a workbook. */
import type { RegionSource, WorkbookRegion } from '#shared/contract/workbook-region.ts';
import { regionName } from '#renderer/language/region-names.ts';
import { t } from '#renderer/language/translate.ts';

/** Returns 'Region of the workbook: German (Germany), told by the language and the formats of the file.' */
export const regionText = ({ Id, Source }: WorkbookRegion): string => TEXTS[Source]({ name: regionName(Id) });

/** Returns the text beside a choice of regions. */
export const regionToChoose = (region: WorkbookRegion): string =>
  region.Source === 'None'
    ? t('The file does not specify its region. Choose one; otherwise it is calculated with the region {name}.', {
        name: regionName(region.Id),
      })
    : regionText(region);

const TEXTS: Readonly<Record<RegionSource, (values: { name: string }) => string>> = {
  Formats: (values) =>
    t('Region of the workbook: {name}, detected from the language and the formats of the file.', values),
  Values: (values) => t('Region of the workbook: {name}, detected from the values saved in the file.', values),
  Chosen: (values) => t('Region of the workbook: {name}, chosen during the upload.', values),
  Kept: (values) => t('Region of the workbook: {name}, as in the previous version.', values),
  None: (values) => t('The file does not specify its region. It is calculated with the region {name}.', values),
};
