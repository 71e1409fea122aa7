import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router-dom';
import { checklistStatus } from '#shared/contract/checklist-runs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { usePageObject } from '#renderer/app/objects/page-object-claim.ts';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { AgainForm } from './AgainForm.tsx';
import { fromOf, useAgainPlan } from './use-again-plan.ts';

/** /checklists/runstatus/{id}/again/{stepKey}, the same for workflows, and both without a step. */
export function RunAgainPage() {
  const { pathname } = useLocation();
  const { id, stepKey } = useParams();
  const [search] = useSearchParams();
  const runId = Number(id);
  if (!Number.isSafeInteger(runId) || runId <= 0) return <NotFoundPage />;
  const kind = pathname.startsWith('/workflows/') ? 'workflow' : 'checklist';
  return <FetchedRun key={`${kind}:${runId}`} kind={kind} runId={runId} stepKey={stepKey} rowKey={search.get('row')} />;
}

interface FetchedRunProps {
  kind: 'checklist' | 'workflow';
  runId: number;
  stepKey: string | undefined;
  rowKey: string | null;
}

function FetchedRun({ kind, runId, stepKey, rowKey }: FetchedRunProps) {
  const run = useQuery(queryOf(checklistStatus, { params: { kind, runId } }));
  const checklist = run.data?.Checklist;
  usePageObject(checklist && { kind: 'checklist', id: checklist.Id, name: checklist.Name });
  const from = useMemo(() => fromOf(stepKey, rowKey), [stepKey, rowKey]);
  // The form is opened once: another step or other inputs change what runs, but not what was entered.
  const [opened] = useState(() => ({ From: from, ChangedInputs: [], LatestVersions: false }));
  const first = useAgainPlan(runId, opened);
  const error = run.error ?? (first.plan ? null : first.error);
  const title = checklist?.Name ?? t('Run again');
  const number = t('Run {runId}', { runId });
  if (error) {
    const retry = (): void => {
      void run.refetch();
      first.refetch();
    };
    return (
      <Page title={title} number={number} narrow>
        <FailureState error={error} onRetry={retry} />
      </Page>
    );
  }
  if (!run.data || !first.plan) {
    return (
      <Page title={title} number={number} narrow>
        <Skeleton kind="form" />
      </Page>
    );
  }
  return (
    <Page title={title} number={number} description={<AboutAgain />} narrow>
      <AgainForm status={run.data} inputs={first.plan.Inputs} stepKey={stepKey} rowKey={rowKey} from={from} />
    </Page>
  );
}

const AboutAgain = () =>
  t('This creates a new run. It reuses the results of steps that do not run again, and this run stays as it is.');
