import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { ThList } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  checklistRows,
  downloadChecklistRows,
  type ChecklistRow,
  type RowsCursor,
} from '#shared/contract/checklist-rows.ts';
import type { ChecklistRun, ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { hasSucceeded, isPending } from '#shared/contract/run-status.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, pagesInterval } from '#renderer/api/queries.ts';
import { RowFiles, RowRuns } from '#renderer/features/runs/status/RowRuns.tsx';
import { t } from '#renderer/language/translate.ts';
import { LoadMore } from '#renderer/ui/LoadMore.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { RetryStep, RunFromHere } from './RetryStep.tsx';

const REFRESH_MS = 5_000;

interface StepRowsProps {
  run: ChecklistRun;
  step: ChecklistStep;
}

/** The rows of a ForEach step, with rows that did not succeed first, and their output files. */
export function StepRows({ run, step }: StepRowsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" icon={<ThList />} text={t('Rows')} onClick={() => setOpen(true)} />
      <Dialog className="rs-rows-dialog" title={step.StepName} isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen && <RowsDialog run={run} step={step} />}
      </Dialog>
    </>
  );
}

function RowsDialog({ run, step }: StepRowsProps) {
  const { RunId } = run;
  const { StepKey, Status } = step;
  const rows = useInfiniteQuery({
    queryKey: [...keyOf(checklistRows), RunId, StepKey, isPending(Status)],
    queryFn: ({ pageParam: After, signal }) =>
      call(checklistRows, { body: { RunId, StepKey, After }, signal, polls: true }),
    initialPageParam: null as RowsCursor | null,
    getNextPageParam: ({ Next }) => Next,
    refetchInterval: isPending(Status) ? pagesInterval(REFRESH_MS) : false,
  });
  if (!rows.data) {
    return (
      <DialogBody>
        {rows.error ? (
          <FailureState error={rows.error} onRetry={() => void rows.refetch()} />
        ) : (
          <Skeleton kind="form" />
        )}
      </DialogBody>
    );
  }
  const { pages } = rows.data;
  const tables = pages[0]?.Tables ?? [];
  return (
    <>
      <DialogBody>
        <RowsTable run={run} step={step} rows={pages.flatMap(({ Rows }) => Rows)} />
        <LoadMore query={rows} text={t('More rows')} />
      </DialogBody>
      {tables.length > 0 && (
        <DialogFooter>
          <RowFiles
            tables={tables}
            download={(Table, Format) => call(downloadChecklistRows, { body: { RunId, StepKey, Table, Format } })}
          />
        </DialogFooter>
      )}
    </>
  );
}

function RowsTable({ run, step, rows }: StepRowsProps & { rows: readonly ChecklistRow[] }) {
  if (rows.length === 0) return <p className="rs-muted">{t('There are no rows.')}</p>;
  return (
    <RowRuns
      rows={rows}
      renderAbout={({ IsKept }) => IsKept && <span className="rs-muted"> {t('Reused from an earlier run')}</span>}
      renderActions={({ Status, RowKey }) => {
        if (isPending(Status)) return null;
        const Action = hasSucceeded(Status) ? RunFromHere : RetryStep;
        return <Action run={run} step={step} rowKey={RowKey} />;
      }}
    />
  );
}
