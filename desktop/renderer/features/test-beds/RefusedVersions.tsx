import { Button, Callout } from '@blueprintjs/core';
import { Download, Trash, Upload } from '@blueprintjs/icons';
import { useState } from 'react';
import { deleteRefused, downloadRefused, publishRefused, type RefusedVersion } from '#shared/contract/test-beds.ts';
import { call } from '#renderer/api/client.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { Findings, OutcomeTag } from './ResultView.tsx';
import { useAct } from './use-act.ts';

interface RefusedVersionsProps {
  refused: readonly RefusedVersion[];
  canEdit: boolean;
  onChange: () => Promise<unknown>;
}

/** Lists uploads that were stored beside the versions, each with what failed. */
export function RefusedVersions({ refused, canEdit, onChange }: RefusedVersionsProps) {
  return refused.map((upload) => <Refused key={upload.Id} upload={upload} canEdit={canEdit} onChange={onChange} />);
}

function Refused({ upload, canEdit, onChange }: { upload: RefusedVersion } & Omit<RefusedVersionsProps, 'refused'>) {
  const { Id, FileName, Time, UserFullName, ChangeDescription, Cases } = upload;
  const [isAsking, setAsking] = useState(false);
  const { busy, act } = useAct(onChange);
  const failed = Cases.filter(({ Result }) => Result.Outcome !== 'Passed');
  const publish = async (): Promise<void> => {
    const { Version } = await call(publishRefused, { params: { id: Id } });
    showSuccess(t('Published as version {version}', { version: Version }));
  };
  return (
    <section className="rs-card" aria-label={t('Not published: {fileName}', { fileName: FileName })}>
      <Callout intent="danger" title={t('Not published: {fileName}', { fileName: FileName })}>
        {rich(
          '{failedCount} of {casesCount} test cases did not pass. Uploaded {time} by {userFullName}{changeDescription}',
          {
            failedCount: failed.length,
            casesCount: Cases.length,
            time: <DateText value={Time} as="relative" />,
            userFullName: UserFullName,
            changeDescription: ChangeDescription !== '' && `: ${ChangeDescription}`,
          },
        )}
      </Callout>
      {failed.map(({ Name, Result }, at) => (
        <details key={at} open={failed.length <= 3} className="rs-testbed-failed">
          <summary>
            <span className="rs-testbed-case">
              <OutcomeTag result={Result} />
              <span>{Name}</span>
            </span>
          </summary>
          <Findings name={t('{name} in {fileName}', { name: Name, fileName: FileName })} result={Result} />
        </details>
      ))}
      {canEdit && (
        <div className="rs-testbed-bar">
          <Button
            icon={<Upload />}
            text={t('Replay and publish')}
            loading={busy === 'publish'}
            onClick={() => void act('publish', publish)}
          />
          <Button
            icon={<Download />}
            text={t('Download')}
            onClick={() => void startDownload(call(downloadRefused, { params: { id: Id } }))}
          />
          <Button icon={<Trash />} text={t('Delete')} onClick={() => setAsking(true)} />
        </div>
      )}
      <DeleteDialog
        isOpen={isAsking}
        title={t('Delete upload')}
        isBusy={busy === 'delete'}
        onCancel={() => setAsking(false)}
        onConfirm={() =>
          void act('delete', async () => void (await call(deleteRefused, { params: { id: Id } }))).then(
            (isDone) => isDone && setAsking(false),
          )
        }
      >
        <p>{t('{fileName} was not published and will be deleted permanently.', { fileName: FileName })}</p>
      </DeleteDialog>
    </section>
  );
}
