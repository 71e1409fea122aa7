import { Button, HTMLTable } from '@blueprintjs/core';
import { Download, Repeat, Stop } from '@blueprintjs/icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { BATCH_STEP_KEY, batchResults, type Batch } from '#shared/contract/batches.ts';
import { retryChildRuns } from '#shared/contract/child-runs.ts';
import { cancelRun } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { startDownload } from '#renderer/features/runs/downloads.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { EmptyState, Progress } from '#renderer/ui/states.tsx';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { DateText } from '#renderer/ui/texts.tsx';

interface BatchListProps {
  batches: readonly Batch[];
  onChange: () => void;
}

/** The newest batches, with how far each is. */
export function BatchList({ batches, onChange }: BatchListProps) {
  if (batches.length === 0)
    return (
      <EmptyState title={t('No batch was started yet')}>
        {t('Download the template, fill in a line for each run, and choose the file above.')}
      </EmptyState>
    );
  return (
    <HTMLTable className="rs-batch-list rs-stacked" aria-label={t('Batches')}>
      <thead>
        <tr>
          <th scope="col">{t('File')}</th>
          <th scope="col">{t('Started')}</th>
          <th scope="col">{t('Rows')}</th>
          <th scope="col">{t('Actions')}</th>
        </tr>
      </thead>
      <tbody>
        {batches.map((batch) => (
          <BatchLine key={batch.Id} batch={batch} onChange={onChange} />
        ))}
      </tbody>
    </HTMLTable>
  );
}

function BatchLine({ batch, onChange }: { batch: Batch; onChange: () => void }) {
  const { Id, FileName, RunId, Time, UserFullName, RowCount, BadCount } = batch;
  return (
    <tr>
      <td className="rs-batch-name">
        <Link to={`/activities/runstatus/${RunId}/`}>{FileName}</Link>
      </td>
      <td>
        <DateText value={Time} as="relative" />
        <br />
        <span className="rs-muted">{UserFullName}</span>
      </td>
      <td className="rs-batch-progress">
        <Counts batch={batch} />
        {BadCount > 0 && <span className="rs-muted">{t('{count} left out', { count: numberText(BadCount) })}</span>}
        {RowCount === 0 && <span className="rs-muted">{t('No rows')}</span>}
      </td>
      <td>
        <div className="rs-batch-actions">
          <Button
            size="small"
            icon={<Download />}
            text={t('Results')}
            aria-label={t('Results of {fileName}', { fileName: FileName })}
            onClick={() => void startDownload(call(batchResults, { params: { id: Id } }))}
          />
          <BatchButtons batch={batch} onChange={onChange} />
        </div>
      </td>
    </tr>
  );
}

function Counts({ batch }: { batch: Batch }) {
  const { FileName, RowCount, SuccessfulChildRuns, FailedChildRuns, RunningChildRuns } = batch;
  const texts = [
    t('{count} of {total} succeeded', { count: numberText(SuccessfulChildRuns), total: numberText(RowCount) }),
    ...(FailedChildRuns > 0 ? [t('{count} failed', { count: numberText(FailedChildRuns) })] : []),
    ...(RunningChildRuns > 0 ? [t('{count} to go', { count: numberText(RunningChildRuns) })] : []),
  ];
  if (RunningChildRuns === 0) return <span>{texts.join(', ')}</span>;
  const share = (SuccessfulChildRuns + FailedChildRuns) / RowCount;
  return <Progress share={share} text={texts.join(', ')} label={t('Progress of {fileName}', { fileName: FileName })} />;
}

function BatchButtons({ batch, onChange }: { batch: Batch; onChange: () => void }) {
  const { FileName, RunId, RunningChildRuns, FailedChildRuns } = batch;
  const [isBusy, setBusy] = useState(false);
  const reason = useServerReason();
  const act = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    try {
      showMessage(await work());
      onChange();
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  const shared = { size: 'small', loading: isBusy, disabled: reason !== undefined, title: reason } as const;
  if (RunningChildRuns > 0) {
    const cancel = async (): Promise<string> => (await call(cancelRun, { params: { runId: RunId } })).Message;
    return (
      <Button
        {...shared}
        icon={<Stop />}
        text={t('Cancel')}
        aria-label={t('Cancel {fileName}', { fileName: FileName })}
        onClick={() => void act(cancel)}
      />
    );
  }
  if (FailedChildRuns === 0) return null;
  const retry = async (): Promise<string> => {
    const { Count } = await call(retryChildRuns, { params: { runId: RunId }, body: { StepKey: BATCH_STEP_KEY } });
    return t('{count, plural, one {One row is retried} other {# rows are retried}}', { count: Count });
  };
  return (
    <Button
      {...shared}
      icon={<Repeat />}
      text={t('Retry failed')}
      aria-label={t('Retry failed rows of {fileName}', { fileName: FileName })}
      onClick={() => void act(retry)}
    />
  );
}
