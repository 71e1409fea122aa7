import { Button } from '@blueprintjs/core';
import { Download, Upload } from '@blueprintjs/icons';
import { useRef } from 'react';
import { t } from '#renderer/language/translate.ts';
import { FileSize } from '#renderer/ui/texts.tsx';

interface FileChooserProps {
  file: File | null;
  onChoose: (file: File | null) => void;
  isDisabled: boolean;
  /** Downloads the workbook in use. Set only while editing an existing activity. */
  onDownload?: () => void;
}

/** Chooses the workbook file of an activity; the form sends it. */
export function FileChooser({ file, onChoose, isDisabled, onDownload }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  const isEditing = onDownload !== undefined;
  return (
    <div className="rs-field">
      <span className="rs-field-label" id="workbook-label">
        {t('Workbook')}
      </span>
      <div className="rs-file" role="group" aria-labelledby="workbook-label">
        <Button
          id="workbook"
          icon={<Upload />}
          text={isEditing || file ? t('Change File') : t('Choose File')}
          disabled={isDisabled}
          aria-describedby="workbook-name"
          onClick={() => input.current?.click()}
        />
        {isEditing && <Button icon={<Download />} text={t('Download')} onClick={onDownload} />}
        <span id="workbook-name" className="rs-file-name">
          {file && (
            <>
              {file.name}{' '}
              <span className="rs-muted">
                (<FileSize bytes={file.size} />)
              </span>
            </>
          )}
        </span>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx,.xlsm"
          aria-label={t('Workbook')}
          onChange={(event) => {
            onChoose(event.currentTarget.files?.[0] ?? null);
            // Clear the field, so that the user can choose the same file again after fixing it.
            event.currentTarget.value = '';
          }}
        />
      </div>
      {!isEditing && (
        <div className="rs-field-helper">
          {t('Any Excel workbook (.xlsx or .xlsm). Mark its inputs and outputs here or in Excel.')}
        </div>
      )}
    </div>
  );
}
