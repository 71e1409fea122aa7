import { Button, HTMLTable } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import { batchResults, type Batch } from '#shared/contract/batches.ts';
import { call } from '#renderer/api/client.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { EmptyState, Progress } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { BatchButtons } from './BatchButtons.tsx';
import { countsText } from './batch-texts.ts';

interface BatchListProps {
  batches: readonly Batch[];
  onChange: () => Promise<unknown>;
}

/** The newest batches with their progress. */
export function BatchList({ batches, onChange }: BatchListProps) {
  if (batches.length === 0)
    return (
      <EmptyState title={t('No batches yet')}>
        {t('Download the template, fill in a row for each run, and choose the file above.')}
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

function BatchLine({ batch, onChange }: { batch: Batch; onChange: () => Promise<unknown> }) {
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
        {BadCount > 0 && <span className="rs-muted">{t('{count} skipped', { count: numberText(BadCount) })}</span>}
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
  const text = countsText(batch);
  if (RunningChildRuns === 0) return <span>{text}</span>;
  const share = (SuccessfulChildRuns + FailedChildRuns) / RowCount;
  return <Progress share={share} text={text} label={t('Progress of {fileName}', { fileName: FileName })} />;
}
