import { Button } from '@blueprintjs/core';
import { Changes, Download, Edit, Flows, History, Play, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import {
  downloadChecklistFiles,
  downloadWorkflowFiles,
  type ChecklistRun,
  type ChecklistStatus,
} from '#shared/contract/checklist-runs.ts';
import { call } from '#renderer/api/client.ts';
import { usePageObject } from '#renderer/app/objects/page-object-claim.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { startDownload } from '#renderer/ui/downloads.ts';
import { RunOutcome, WatchFailure } from '#renderer/features/runs/status/RunOutcome.tsx';
import { rich, said, t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { runPath, runStatusPath, workflowPath, workflowVersionsPath } from '../checklist-menu.tsx';
import { ChecklistButtons } from './ChecklistButtons.tsx';
import { PurgeChecklistRun } from './PurgeChecklistRun.tsx';
import { countsText } from './step-times.ts';
import { StepGraph } from './StepGraph.tsx';
import { StepList } from './StepList.tsx';
import { useChecklistRun } from './use-checklist-run.ts';
import '#renderer/features/runs/status/run-status.css';
import './checklist-status.css';

/** /checklists/runstatus/{id}/ and /workflows/runstatus/{id}/ */
export function ChecklistStatusPage() {
  const { pathname } = useLocation();
  const id = Number(useParams()['id']);
  if (!Number.isSafeInteger(id) || id <= 0) return <NotFoundPage />;
  const kind = pathname.startsWith('/workflows/') ? 'workflow' : 'checklist';
  return <WatchedPage key={`${kind}:${id}`} kind={kind} id={id} />;
}

function WatchedPage({ kind, id }: { kind: 'checklist' | 'workflow'; id: number }) {
  const { data, error, watchError, step, refetch } = useChecklistRun(kind, id);
  const [isPurging, setPurging] = useState(false);
  usePageObject(data && { kind: 'checklist', id: data.Checklist.Id, name: data.Checklist.Name });
  if (!data) {
    return (
      <Page title={t('Run status')}>
        {error ? <FailureState error={error} onRetry={refetch} /> : <Skeleton kind="form" />}
      </Page>
    );
  }
  const { Checklist: run, ActivityRuns: steps } = data;
  return (
    <Page
      title={run.Name}
      number={t('Run {runId}', { runId: run.RunId })}
      menu={menuOf(run, () => setPurging(true))}
      description={<RunLine run={run} />}
      actions={<ChecklistButtons run={run} refetch={refetch} />}
    >
      <Outcome data={data} watchError={watchError} />
      <Card>
        <StepList run={run} steps={steps} step={step} />
      </Card>
      {run.IsWorkflow && (
        <Card title={t('Diagram')}>
          <StepGraph steps={steps} />
        </Card>
      )}
      <PurgeChecklistRun run={run} isOpen={isPurging} onClose={() => setPurging(false)} />
    </Page>
  );
}

function RunLine({ run }: { run: ChecklistRun }) {
  return (
    <span className="rs-run-line">
      <span>
        {rich('Queued {time} by {name}', { time: <DateText value={run.QueueTime} />, name: run.UserFullName })}
        {run.IsWorkflow && run.WorkflowVersion !== null && t(', version {version}', { version: run.WorkflowVersion })}
      </span>
      {run.ResumeOf !== null && (
        <Link to={runStatusPath(run.ResumeOf, run.IsWorkflow)}>{t('Resumes an earlier run')}</Link>
      )}
      {run.ResumedBy !== null && (
        <Link to={runStatusPath(run.ResumedBy, run.IsWorkflow)}>{t('Resumed by a later run')}</Link>
      )}
      {run.Description !== '' && <span>{run.Description}</span>}
    </span>
  );
}

interface OutcomeProps {
  data: ChecklistStatus;
  watchError: Error | null;
}

/** Overall state of the run, and a download of all its files after it has ended. */
function Outcome({ data: { Checklist: run, ActivityRuns: steps, message }, watchError }: OutcomeProps) {
  const files = run.IsWorkflow ? downloadWorkflowFiles : downloadChecklistFiles;
  return (
    <Card>
      <div role="status" className="rs-run-status">
        <RunOutcome status={run.Status} />
        <span className="rs-muted">{countsText(steps)}</span>
      </div>
      {message !== null && <p className="rs-run-message">{said(message)}</p>}
      <WatchFailure error={watchError} />
      {run.HasFiles && (
        <Button
          size="small"
          icon={<Download />}
          text={t('Download all')}
          onClick={() => void startDownload(call(files, { params: { runId: run.RunId } }))}
        />
      )}
    </Card>
  );
}

/**
 * For a workflow, Run Now leads to the same page, which says that it is a workflow. Source: specification of
 * activities, section 2.
 */
const menuOf = (
  { Id, CanRun, CanEdit, CanPurge, IsWorkflow }: ChecklistRun,
  onPurge: () => void,
): (MenuEntry | false)[] => [
  CanRun && { text: t('Run Now'), icon: <Play />, to: runPath(Id, false) },
  { text: t('View All Runs'), icon: <History />, to: `/checklists/runhistory/${Id}/` },
  CanEdit && { text: t('Edit'), icon: <Edit />, to: `/checklists/edit/${Id}/` },
  CanEdit && IsWorkflow && { text: t('Edit workflow'), icon: <Flows />, to: workflowPath(Id) },
  IsWorkflow && { text: t('View All Versions'), icon: <Changes />, to: workflowVersionsPath(Id) },
  CanPurge && { text: t('Purge this run'), icon: <Trash />, onSelect: onPurge },
];
