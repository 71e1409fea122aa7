import { Button, Callout } from '@blueprintjs/core';
import { fileSizeText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { Progress } from '#renderer/ui/states.tsx';
import { UploadFindings } from '../upload/UploadFindings.tsx';
import { UploadStatus } from '../upload/UploadStatus.tsx';
import { uploadFindings } from '../editor/use-save-activity.ts';
import type { DesignOpening } from './use-open-design.ts';

/** Progress of a workbook upload, or why the server refused the workbook. */
export function OpeningState({
  opening: { isOpening, uploadId, progress, failure, cancel },
}: {
  opening: DesignOpening;
}) {
  if (isOpening) {
    const isSent = progress === null || progress.sent >= progress.total;
    return (
      <div className="rs-opening">
        <Progress
          label={t('Opening the workbook')}
          share={isSent ? null : progress.sent / progress.total}
          text={
            isSent && uploadId !== null ? (
              <UploadStatus uploadId={uploadId} initial={t('Reading the workbook')} />
            ) : (
              t('{sent} of {total}', {
                sent: fileSizeText(progress?.sent ?? 0),
                total: fileSizeText(progress?.total ?? 0),
              })
            )
          }
        />
        <Button size="small" text={t('Cancel')} onClick={cancel} />
      </div>
    );
  }
  if (!failure) return null;
  return (
    <>
      <Callout intent="danger">{said(failure.message)}</Callout>
      <UploadFindings Faults={uploadFindings(failure).Faults} accepted={[]} onAccept={() => undefined} />
    </>
  );
}
