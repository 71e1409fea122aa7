import { Button, Callout } from '@blueprintjs/core';
import { InfoSign, Play } from '@blueprintjs/icons';
import { useState } from 'react';
import { startBatch, type BatchIssue, type BatchReadings, type CheckedBatch } from '#shared/contract/batches.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { said, t } from '#renderer/language/translate.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { checkedText, rowsText } from './batch-texts.ts';
import { IssueTable } from './IssueTable.tsx';
import { readingTexts } from './reading-texts.ts';

const asCell = ({ Cell, Input, Message }: BatchIssue) => ({ Cell, Column: Input, Message });

/** What the check of a sheet found, and the button that starts the batch. */
export function CheckedSheet({ checked, onStarted }: { checked: CheckedBatch; onStarted: () => void }) {
  const { Id, FileName, RowCount, BadCount, IssueCount, HeaderIssueCount, Readings } = checked;
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
      {hasIssues && (RowCount > 0 || HeaderIssueCount > 0) && (
        <IssueTable issues={checked.Issues.map(asCell)} count={IssueCount} />
      )}
      {Readings && <ReadingNote readings={Readings} />}
      {failure !== null && (
        <Callout intent="danger" role="alert">
          {said(failure)}
        </Callout>
      )}
      {good > 0 && (
        <Button
          icon={<Play />}
          intent={hasIssues ? 'none' : 'primary'}
          text={
            hasIssues
              ? t('{count, plural, one {Start the valid row} other {Start the # valid rows}}', { count: good })
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

function ReadingNote({ readings }: { readings: BatchReadings }) {
  return (
    <Callout role="note" intent="primary" icon={<InfoSign />} aria-label={t('How the file was read')}>
      {readingTexts(readings).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>
        {t(
          'If this is not what you meant, correct the file and upload it again. Numbers without thousands separators and dates such as 2026-01-31 are read the same everywhere.',
        )}
      </p>
    </Callout>
  );
}
