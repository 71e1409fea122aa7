import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { Download, ThList } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  checklistRows,
  downloadChecklistRows,
  ROWS_FORMATS,
  type ChecklistRow,
  type RowsCursor,
} from '#shared/contract/checklist-rows.ts';
import type { ChecklistRun, ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { startDownload } from '#renderer/features/runs/downloads.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';

const REFRESH_MS = 5_000;

interface StepRowsProps {
  run: Pick<ChecklistRun, 'RunId'>;
  step: ChecklistStep;
}

/** The rows of a step that runs once for each, those that did not succeed first, and what they gave as files. */
export function StepRows({ run, step }: StepRowsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" icon={<ThList />} text="Rows" onClick={() => setOpen(true)} />
      <Dialog className="rs-rows-dialog" title={step.StepName} isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen && <RowsDialog run={run} step={step} />}
      </Dialog>
    </>
  );
}

function RowsDialog({ run: { RunId }, step: { StepKey, Status } }: StepRowsProps) {
  const rows = useInfiniteQuery({
    queryKey: [...keyOf(checklistRows), RunId, StepKey, isPending(Status)],
    queryFn: ({ pageParam: After }) => call(checklistRows, { body: { RunId, StepKey, After } }),
    initialPageParam: null as RowsCursor | null,
    getNextPageParam: ({ Next }) => Next,
    refetchInterval: isPending(Status) ? REFRESH_MS : false,
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
        <RowsTable rows={pages.flatMap(({ Rows }) => Rows)} />
        {rows.hasNextPage && (
          <Button text="More rows" loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()} />
        )}
      </DialogBody>
      {tables.length > 0 && (
        <DialogFooter>
          <div className="rs-rows-files">
            {tables.flatMap((Table) =>
              ROWS_FORMATS.map((Format) => (
                <Button
                  key={`${Table} ${Format}`}
                  size="small"
                  icon={<Download />}
                  text={`${Table}.${Format}`}
                  onClick={() =>
                    void startDownload(call(downloadChecklistRows, { body: { RunId, StepKey, Table, Format } }))
                  }
                />
              )),
            )}
          </div>
        </DialogFooter>
      )}
    </>
  );
}

function RowsTable({ rows }: { rows: readonly ChecklistRow[] }) {
  if (rows.length === 0) return <p className="rs-muted">There are no rows.</p>;
  return (
    <table className="rs-steps rs-rows">
      <thead>
        <tr>
          <th scope="col">Row</th>
          <th scope="col">Status</th>
          <th scope="col">Ended</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.Id}>
            <td>
              {row.CanView ? <Link to={`/activities/runstatus/${row.Id}/`}>{row.RowKey}</Link> : row.RowKey}
              {row.IsKept && <span className="rs-step-note"> Kept from an earlier run</span>}
              {row.Message !== '' && <div className="rs-step-note">{row.Message}</div>}
            </td>
            <td className="rs-nowrap">
              <StatusTag status={row.Status} />
            </td>
            <td className="rs-nowrap">{row.EndTime !== null && <DateText value={row.EndTime} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
