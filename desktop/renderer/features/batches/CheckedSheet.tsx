import { Button, Callout, HTMLTable } from '@blueprintjs/core';
import { Play } from '@blueprintjs/icons';
import { useState } from 'react';
import { startBatch, type CheckedBatch } from '#shared/contract/batches.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${count.toLocaleString('en-US')} rows`);

/** What the check of a sheet found, and the start that follows. */
export function CheckedSheet({ checked, onStarted }: { checked: CheckedBatch; onStarted: () => void }) {
  const { Id, FileName, RowCount, BadCount, IssueCount } = checked;
  const [isBusy, setBusy] = useState(false);
  const [uniqueId] = useState(() => crypto.randomUUID());
  const reason = useServerReason();
  const good = RowCount - BadCount;
  const hasIssues = IssueCount > 0;
  const start = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(startBatch, { body: { Id, UniqueId: uniqueId, OnlyGood: hasIssues } });
      showSuccess(`${rowsText(good)} of ${FileName} started`);
      onStarted();
    } catch (error) {
      showError(toFailure(error).message);
      setBusy(false);
    }
  };
  return (
    <section className="rs-batch-checked" aria-label="Checked rows">
      <Callout intent={hasIssues ? 'warning' : 'success'}>
        {hasIssues
          ? `${FileName}: ${IssueCount === 1 ? 'one cell' : `${IssueCount.toLocaleString('en-US')} cells`} cannot be taken, in ${BadCount.toLocaleString('en-US')} of ${rowsText(RowCount)}. Correct the file and upload it again${good > 0 ? ', or start the good rows alone' : ''}.`
          : `${FileName}: ${rowsText(RowCount)}, and every cell can be taken.`}
      </Callout>
      {hasIssues && <IssueTable checked={checked} />}
      {good > 0 && (
        <Button
          icon={<Play />}
          intent={hasIssues ? 'none' : 'primary'}
          text={hasIssues ? `Start the good rows, ${good.toLocaleString('en-US')}` : `Start ${rowsText(good)}`}
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
      <div className="rs-batch-issues" tabIndex={0} role="group" aria-label="Cells that cannot be taken">
        <HTMLTable compact bordered aria-label="Cells that cannot be taken">
          <thead>
            <tr>
              <th scope="col">Cell</th>
              <th scope="col">Column</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {Issues.map(({ Cell, Input, Message }, at) => (
              <tr key={at}>
                <td>{Cell}</td>
                <td>{Input}</td>
                <td>{Message}</td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </div>
      {IssueCount > Issues.length && (
        <p className="rs-muted">
          These are the first {Issues.length} of {IssueCount.toLocaleString('en-US')}.
        </p>
      )}
    </>
  );
}
