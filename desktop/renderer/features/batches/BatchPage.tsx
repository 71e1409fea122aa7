import { Button, Callout } from '@blueprintjs/core';
import { Download, Upload } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import {
  BATCH_ROWS_MAX,
  batchTemplate,
  listBatches,
  uploadBatch,
  type BatchPage as BatchPageData,
  type CheckedBatch,
} from '#shared/contract/batches.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call, upload } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { startDownload } from '#renderer/ui/downloads.ts';
import { AccessFailure } from '#renderer/features/access/AccessFailure.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { FileButton } from '#renderer/ui/FileButton.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { Progress, Skeleton } from '#renderer/ui/states.tsx';
import { BatchList } from './BatchList.tsx';
import { CheckedSheet } from './CheckedSheet.tsx';
import './batches.css';

/** Poll interval for running batches, in milliseconds. */
const POLL_MS = 1000;

/** /activities/batch/{id} */
export function BatchPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <Batches key={id} id={id} /> : <NotFoundPage />;
}

function Batches({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    ...queryOf(listBatches, { params: { id }, polls: true }),
    refetchInterval: ({ state }) =>
      state.data?.Batches.some(({ RunningChildRuns }) => RunningChildRuns > 0) ? POLL_MS : false,
  });
  if (!data) {
    return (
      <Page title={t('Batch')}>
        {error ? (
          <AccessFailure kind="Activity" id={id} error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton kind="form" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={t('Batch - {activityName}', { activityName: data.ActivityName })}
      description={t('Each row of a sheet becomes a run, up to {count} rows at once.', {
        count: numberText(BATCH_ROWS_MAX),
      })}
      actions={<LinkButton to={`/activities/${id}`} text={t('Activity')} />}
    >
      {data.Obstacle === null ? (
        <NewBatch id={id} page={data} onStarted={() => void refetch()} />
      ) : (
        <Callout intent="warning">{said(data.Obstacle)}</Callout>
      )}
      <Card title={t('Batches')}>
        <BatchList batches={data.Batches} onChange={refetch} />
      </Card>
    </Page>
  );
}

interface NewBatchProps {
  id: number;
  page: BatchPageData;
  onStarted: () => void;
}

function NewBatch({ id, page, onStarted }: NewBatchProps) {
  const [checked, setChecked] = useState<CheckedBatch | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const reason = useServerReason();
  const send = async (file: File): Promise<void> => {
    setBusy(true);
    setChecked(null);
    setFailure(null);
    const form = new FormData();
    form.append('file', file, file.name);
    try {
      const onProgress = ({ sent, total }: { sent: number; total: number }): void =>
        setShare(sent < total ? sent / total : null);
      setChecked(await upload(uploadBatch, form, { params: { id }, onProgress }));
    } catch (error) {
      setFailure(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  if (!page.CanRun) return <Callout>{t('You cannot start a batch, because the activity cannot be run.')}</Callout>;
  return (
    <Card title={t('New batch')}>
      <ol className="rs-batch-steps">
        <li>
          <span>{t('Download the template. Its columns are {inputs}.', { inputs: page.Inputs.join(', ') })}</span>
          <Button
            icon={<Download />}
            text={t('Download template')}
            disabled={reason !== undefined}
            title={reason}
            onClick={() => void startDownload(call(batchTemplate, { params: { id } }))}
          />
        </li>
        <li>
          <span>{t('Fill in a row for each run, and upload the file. It is checked; nothing is started yet.')}</span>
          <FileButton
            icon={<Upload />}
            text={t('Upload rows')}
            label={t('Rows of the batch')}
            accept=".xlsx,.xlsm,.csv,.txt"
            isDisabled={isBusy || reason !== undefined}
            onChoose={(file) => void send(file)}
          />
        </li>
      </ol>
      {isBusy && (
        <Progress share={share} text={share === null ? t('Checking the rows') : t('Uploading')} label={t('Upload')} />
      )}
      {failure !== null && (
        <Callout intent="danger" role="alert">
          {said(failure)}
        </Callout>
      )}
      {checked && (
        <CheckedSheet
          key={checked.Id}
          checked={checked}
          onStarted={() => {
            setChecked(null);
            onStarted();
          }}
        />
      )}
    </Card>
  );
}
