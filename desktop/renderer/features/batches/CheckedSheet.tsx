import { Button, Callout, HTMLTable } from '@blueprintjs/core';
import { Play } from '@blueprintjs/icons';
import { useState } from 'react';
import { startBatch, type CheckedBatch } from '#shared/contract/batches.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { checkedText, rowsText } from './batch-texts.ts';

/** What the check of a sheet found, and the start that follows. */
export function CheckedSheet({ checked, onStarted }: { checked: CheckedBatch; onStarted: () => void }) {
  const { Id, FileName, RowCount, BadCount, IssueCount, HeaderIssueCount } = checked;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [uniqueId] = useState(() => crypto.randomUUID());
  const reason = useServerReason();
  const good = RowCount - BadCount;
  const hasIssues = IssueCount > 0;
  const start = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await call(startBatch, { body: { Id, UniqueId: uniqueId, OnlyGood: hasIssues } });
      showSuccess(t('{rows} of {fileName} started', { rows: rowsText(good), fileName: FileName }));
      onStarted();
    } catch (error) {
      setFailure(toFailure(error).message);
      setBusy(false);
    }
  };
  return (
    <section className="rs-batch-checked" aria-label={t('Checked rows')}>
      <Callout intent={hasIssues ? 'warning' : 'success'}>{checkedText(checked)}</Callout>
      {hasIssues && (RowCount > 0 || HeaderIssueCount > 0) && <IssueTable checked={checked} />}
      {failure !== null && (
        <Callout intent="danger" role="alert">
          {failure}
        </Callout>
      )}
      {good > 0 && (
        <Button
          icon={<Play />}
          intent={hasIssues ? 'none' : 'primary'}
          text={
            hasIssues
              ? t('Start the good rows, {count}', { count: numberText(good) })
              : t('Start {rows}', { rows: rowsText(good) })
          }
          loading={isBusy}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => void start()}
        />
      )}
    </section>
  );
}

function IssueTable({ checked: { Issues, IssueCount } }: { checked: CheckedBatch }) {
  return (
    <>
      <div className="rs-batch-issues" tabIndex={0} role="group" aria-label={t('Cells that cannot be taken')}>
        <HTMLTable compact bordered aria-label={t('Cells that cannot be taken')}>
          <thead>
            <tr>
              <th scope="col">{t('Cell')}</th>
              <th scope="col">{t('Column')}</th>
              <th scope="col">{t('What is wrong')}</th>
            </tr>
          </thead>
          <tbody>
            {Issues.map(({ Cell, Input, Message }, at) => (
              <tr key={at}>
                <td>{Cell}</td>
                <td>{Input}</td>
                <td>{said(Message)}</td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </div>
      {IssueCount > Issues.length && (
        <p className="rs-muted">
          {t('These are the first {count} of {total}.', { count: Issues.length, total: numberText(IssueCount) })}
        </p>
      )}
    </>
  );
}
