import { Button } from '@blueprintjs/core';
import { Edit } from '@blueprintjs/icons';
import type { WorkbookRegion } from '#shared/contract/workbook-region.ts';
import { regionText } from '#renderer/features/versions/region-text.ts';
import { t } from '#renderer/language/translate.ts';
import { OpeningState } from '#renderer/features/activities/designer/OpeningState.tsx';
import type { DesignOpening } from '#renderer/features/activities/designer/use-open-design.ts';
import { hasWorkbook, type EditorFields } from './editor-fields.ts';
import { FileChooser } from '#renderer/features/activities/upload/FileChooser.tsx';
import { WorkbookRegionField } from './WorkbookRegionField.tsx';

interface EditedWorkbookProps {
  fields: EditorFields;
  write: (change: Partial<EditorFields>) => void;
  /** The region of the version in use; undefined if unknown. */
  region: WorkbookRegion | undefined;
  opening: DesignOpening;
  isDisabled: boolean;
  /** Called with null to choose the workbook in use. */
  onChoose: (file: File | null) => void;
  onDownload: () => void;
}

/** The workbook of an existing activity: the author can replace the file or change its marks. */
export function EditedWorkbook(props: EditedWorkbookProps) {
  const { fields, write, region, opening, isDisabled, onChoose, onDownload } = props;
  return (
    <>
      <FileChooser file={fields.file} isDisabled={isDisabled} onChoose={onChoose} onDownload={onDownload} />
      {region && <p className="rs-muted">{regionText(region)}</p>}
      {hasWorkbook(fields) && (
        <WorkbookRegionField
          chosen={fields.region}
          onChoose={(chosen) => write({ region: chosen })}
          helper={t('If the new file does not specify its region, the region of the previous version remains.')}
          isDisabled={isDisabled}
        />
      )}
      {fields.designId === null && (
        <div className="rs-field">
          <Button
            icon={<Edit />}
            text={t('Edit inputs and outputs')}
            disabled={isDisabled}
            onClick={() => onChoose(null)}
          />
        </div>
      )}
      <OpeningState opening={opening} />
    </>
  );
}
