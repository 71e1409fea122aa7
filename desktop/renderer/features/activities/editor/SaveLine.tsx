import { Button } from '@blueprintjs/core';
import { fileSizeText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { Progress } from '#renderer/ui/states.tsx';
import { UploadStatus } from '#renderer/features/activities/upload/UploadStatus.tsx';
import type { useSaveActivity } from './use-save-activity.ts';

interface SaveLineProps {
  /** Id of the form that the button submits. */
  form: string;
  saving: ReturnType<typeof useSaveActivity>;
  text: string;
  isBusy: boolean;
  /** Why saving is not possible yet. */
  reason: string | null;
}

/** The save button and the upload progress. */
export function SaveLine({ form, saving, text, isBusy, reason }: SaveLineProps) {
  const { isSaving, progress, uploadId, cancel } = saving;
  // Marks of a workbook that is already on the server are sent immediately, so there is no progress.
  const isSent = progress === null || progress.sent >= progress.total;
  return (
    <div className="rs-sticky-actions">
      {uploadId !== null && (
        <Progress
          label={t('Upload')}
          share={isSent ? null : progress.sent / progress.total}
          text={
            isSent ? (
              <UploadStatus uploadId={uploadId} initial={t('Reading and checking the workbook')} />
            ) : (
              t('{sent} of {total}', { sent: fileSizeText(progress.sent), total: fileSizeText(progress.total) })
            )
          }
        />
      )}
      <div className="rs-form-actions">
        <SubmitButton
          form={form}
          text={text}
          loading={isSaving || isBusy}
          disabled={reason !== null}
          title={reason ?? undefined}
        />
        {uploadId !== null && <Button text={t('Cancel')} onClick={cancel} />}
        {reason !== null && <span className="rs-muted">{reason}</span>}
      </div>
    </div>
  );
}
