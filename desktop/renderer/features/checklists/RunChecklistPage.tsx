import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router-dom';
import { checklistStatus, type ChecklistStatus } from '#shared/contract/checklist-runs.ts';
import { checklistDetails, type Checklist } from '#shared/contract/checklists.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { WhyNot } from '#renderer/features/rights/OwnRights.tsx';
import { formsOfRun } from '#renderer/features/run-form/form-inputs.ts';
import { PortalRunForm } from '#renderer/features/run-form/PortalRunForm.tsx';
import { rich, said, t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { asActivity, asRunInputs, notRunnableText, originOf } from './checklist-form.ts';
import { checklistMenu, runPath, runStatusPath } from './checklist-menu.tsx';
import '#renderer/features/run-form/run-form.css';

/** /checklists/run/{id} and /workflows/run/{id}, and /again/{runId} with the inputs of an earlier run. */
export function RunChecklistPage() {
  const params = useParams();
  const { pathname } = useLocation();
  const id = Number(params['id']);
  const runId = params['runId'] === undefined ? null : Number(params['runId']);
  if (!isId(id) || (runId !== null && !isId(runId))) return <NotFoundPage />;
  const isWorkflow = pathname.startsWith('/workflows/');
  return <FetchedForm key={`${id}:${runId}:${isWorkflow}`} id={id} runId={runId} isWorkflow={isWorkflow} />;
}

const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

interface FetchedFormProps {
  id: number;
  runId: number | null;
  isWorkflow: boolean;
}

function FetchedForm({ id, runId, isWorkflow }: FetchedFormProps) {
  const checklist = useQuery(queryOf(checklistDetails, { params: { id } }));
  const kind = isWorkflow ? 'workflow' : 'checklist';
  const run = useQuery({
    ...queryOf(checklistStatus, { params: { kind, runId: runId ?? 1 } }),
    enabled: runId !== null,
    staleTime: Infinity,
  });
  const failed = checklist.data ? run : checklist;
  if (failed.error && !failed.data) {
    return (
      <Page title={t('Checklist')}>
        <FailureState error={failed.error} onRetry={() => void failed.refetch()} />
      </Page>
    );
  }
  // Wait for a fresh response: cached data of an earlier visit may be outdated.
  if (!checklist.data || !checklist.isFetchedAfterMount || (runId !== null && !run.data)) {
    return (
      <Page title={checklist.data?.Name ?? ''} narrow>
        <Skeleton kind="form" />
      </Page>
    );
  }
  const { data } = checklist;
  if (data.LastRun && isPending(data.LastRun.Status)) {
    return <Navigate to={runStatusPath(data.LastRun.Id, data.IsLastRunWorkflow)} replace />;
  }
  const menu = checklistMenu({ ...data, IsWorkflow: data.Workflow !== null }, 'Run Now', ['run', 'lastRun']);
  return (
    <Page title={data.Name} description={data.Description} menu={menu}>
      <ChecklistInputs
        key={data.Revision}
        checklist={data}
        run={runId === null ? null : (run.data ?? null)}
        isWorkflow={isWorkflow}
        onReload={() => void checklist.refetch()}
      />
    </Page>
  );
}

interface ChecklistInputsProps {
  checklist: Checklist;
  run: ChecklistStatus | null;
  isWorkflow: boolean;
  onReload: () => void;
}

function ChecklistInputs({ checklist, run, isWorkflow, onReload }: ChecklistInputsProps) {
  const navigate = useNavigateWhileHere();
  const onRun = useCallback(
    ({ Id }: { Id: number }) => void navigate(runStatusPath(Id, isWorkflow), { replace: true }),
    [navigate, isWorkflow],
  );
  const notRunnable = notRunnableText(checklist, isWorkflow);
  const activity = useMemo(() => asActivity(checklist, notRunnable === null), [checklist, notRunnable]);
  return (
    <PortalRunForm
      activity={activity}
      origin={originOf(checklist, isWorkflow)}
      preloaded={run ? formsOfRun(activity.Inputs, asRunInputs(run.Checklist.Inputs)) : {}}
      draftSource={run ? `checklist.${run.Checklist.RunId}` : 'checklist'}
      onRun={onRun}
      onReload={onReload}
      startsByItself={false}
      texts={{
        lastRun: <LastRunLine checklist={checklist} />,
        noInputs: t('This checklist has no inputs.'),
        notRunnable: <NotRunnable text={notRunnable} checklist={checklist} isWorkflow={isWorkflow} />,
      }}
    />
  );
}

/** Explains why the checklist cannot be started here. If it has become a workflow, it links to the workflow. */
function NotRunnable({
  text,
  checklist,
  isWorkflow,
}: {
  text: string | null;
  checklist: Checklist;
  isWorkflow: boolean;
}) {
  const { Id, Workflow, Activities } = checklist;
  const isRefused = text?.startsWith(NO_PERMISSION) === true;
  return (
    <>
      {text !== null && said(text)}
      {isRefused &&
        Activities.filter(({ CanRun }) => !CanRun).map((activity) => (
          <div key={activity.Id}>
            <WhyNot right="sk.RunActivity" of={{ ActivityId: activity.Id }} />
          </div>
        ))}
      {!isWorkflow && Workflow !== null && (
        <>
          . <Link to={runPath(Id, true)}>{t('Run the workflow')}</Link>
        </>
      )}
    </>
  );
}

function LastRunLine({ checklist: { LastRun: run, IsLastRunWorkflow } }: { checklist: Checklist }) {
  if (!run) return <p className="rs-muted">{t('This checklist has never been run before!')}</p>;
  return (
    <p className="rs-last-run">
      <StatusTag status={run.Status} />
      <Link to={runStatusPath(run.Id, IsLastRunWorkflow)}>
        {rich('Last run {queueTime}', { queueTime: <DateText value={run.QueueTime} as="relative" /> })}
      </Link>
      <span className="rs-muted">{t('by {userFullName}', { userFullName: run.UserFullName })}</span>
    </p>
  );
}
