import { Button } from '@blueprintjs/core';
import { Stop } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { cancelChecklistRun } from '#shared/contract/checklist-runs.ts';
import { cancelAllRuns, cancelRun, pendingRuns } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { POLL_INTERVAL } from '#renderer/features/runs/status/run-watch.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { useRowsInView } from '../operator/use-rows-in-view.ts';
import { pendingColumns } from './pending-columns.tsx';
import {
  canCancel,
  isApproval,
  pendingKey,
  pendingPath,
  pendingRows,
  type CancellableRow,
  type PendingRow,
} from './pending-rows.ts';
import { PickedPending } from './PickedPending.tsx';
import '../history/run-history.css';

/** The server counts up to ten thousand. */
const moreText = (more: number): string =>
  more >= 10_000
    ? t('More than 10,000 others are waiting.')
    : t('{more, plural, one {One more is waiting.} other {# more are waiting.}}', { more });

function cancelled(what: CancellableRow | 'all'): Promise<{ Message: string }> {
  if (what === 'all') return call(cancelAllRuns);
  return isApproval(what)
    ? call(cancelChecklistRun, { params: { runId: what.ChecklistRunId } })
    : call(cancelRun, { params: { runId: what.Id } });
}

/** /activities/runstatus: everything in flight, and what it waits for. Polled every second. */
export function PendingRunsPage() {
  const query = useQuery({ ...queryOf(pendingRuns, { polls: true }), refetchInterval: POLL_INTERVAL });
  const maxRows = useRowsInView();
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const navigate = useNavigate();
  const open = useCallback((row: PendingRow) => void navigate(pendingPath(row)), [navigate]);
  const cancel = useCallback(async (what: CancellableRow | 'all'): Promise<void> => {
    setBusy(what === 'all' ? what : pendingKey(what));
    try {
      showMessage((await cancelled(what)).Message);
      setAsking(false);
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      await queryClient.invalidateQueries({ queryKey: keyOf(pendingRuns) });
      setBusy(null);
    }
  }, []);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set());
  const columns = useMemo(
    () =>
      pendingColumns({
        open,
        cancel: (row) => void cancel(row),
        busyKey: busy,
        chosen,
        choose: (row) => {
          const next = new Set(chosen);
          if (!next.delete(pendingKey(row))) next.add(pendingKey(row));
          setChosen(next);
        },
      }),
    [open, cancel, busy, chosen],
  );
  const runs = useMemo(() => query.data && pendingRows(query.data), [query.data]);
  const more = query.data?.MoreCount ?? 0;
  const canCancelAny = runs?.some(canCancel) ?? false;
  const picked = runs?.filter(canCancel).filter((row) => chosen.has(pendingKey(row))) ?? [];
  return (
    <Page
      title={t('Status of Running Activities')}
      actions={canCancelAny && <Button icon={<Stop />} text={t('Cancel All')} onClick={() => setAsking(true)} />}
    >
      {runs ? (
        <>
          {canCancelAny && <PickedPending picked={picked} cancel={cancelled} onDone={() => setChosen(new Set())} />}
          <DataGrid
            label={t('Running activities')}
            rows={runs}
            columns={columns}
            empty={t('No activites are running at this moment.')}
            emptyAction={<LinkButton to="/activities/runhistory" text={t('Activity History')} />}
            onRowClick={open}
            maxRows={maxRows}
          />
          {more > 0 && <p className="rs-muted rs-below-grid">{moreText(more)}</p>}
        </>
      ) : query.error ? (
        <FailureState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton kind="grid" />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={t('Cancel All')}
        cancelText={t('NO')}
        confirmText={t('YES')}
        intent="danger"
        isBusy={busy === 'all'}
        onCancel={() => setAsking(false)}
        onConfirm={() => void cancel('all')}
      >
        {t('Are you sure you want to cancel all pending activities?')}
      </ConfirmDialog>
    </Page>
  );
}
