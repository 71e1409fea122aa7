import type { WorkbookRegion } from '#shared/contract/workbook-region.ts';
import { regionText } from '#renderer/features/versions/region-text.ts';
import { downloadVersionFile } from '#renderer/features/versions/version-columns.tsx';
import { t } from '#renderer/language/translate.ts';
import { withFile, type EditorFields } from './editor-fields.ts';
import { FileChooser } from './FileChooser.tsx';
import { WorkbookRegionField } from './WorkbookRegionField.tsx';

interface ChangedWorkbookProps {
  fields: Pick<EditorFields, 'file' | 'region'>;
  write: (change: Partial<EditorFields>) => void;
  /** The version in use; its region is undefined where nothing is known of it. */
  stored: { id: number; version: number; region: WorkbookRegion | undefined };
  isDisabled: boolean;
}

/** The workbook of an activity that there is, its region, and the file that is to replace it. */
export function ChangedWorkbook({ fields, write, stored, isDisabled }: ChangedWorkbookProps) {
  return (
    <>
      <FileChooser
        file={fields.file}
        isDisabled={isDisabled}
        onChoose={(file) => write(withFile(file))}
        onDownload={() => void downloadVersionFile(stored.id, stored.version)}
      />
      {stored.region && <p className="rs-muted">{regionText(stored.region)}</p>}
      {fields.file && (
        <WorkbookRegionField
          chosen={fields.region}
          onChoose={(chosen) => write({ region: chosen })}
          helper={t('Where the new file does not say its region, that of the version before stays.')}
          isDisabled={isDisabled}
        />
      )}
    </>
  );
}
