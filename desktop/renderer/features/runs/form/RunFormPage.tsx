import { Edit, Changes, History } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router-dom';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { runDetails, type ActivityRun } from '#shared/contract/runs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { formsOfRun } from './form-inputs.ts';
import { useNewVersionMessage } from './new-version.tsx';
import { RunForm } from './RunForm.tsx';
import { runTitle } from './run-title.ts';
import './run-form.css';

/** /activities/run/{id}, and /again/{runId} with the inputs of an earlier run. */
export function RunFormPage() {
  const params = useParams();
  const id = Number(params['id']);
  const runId = params['runId'] === undefined ? null : Number(params['runId']);
  if (!isId(id) || (runId !== null && !isId(runId))) return <NotFoundPage />;
  return <FetchedForm key={`${id}:${runId}`} id={id} runId={runId} />;
}

const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

function FetchedForm({ id, runId }: { id: number; runId: number | null }) {
  const activity = useQuery(queryOf(activityDetails, { params: { id } }));
  const run = useQuery({
    ...queryOf(runDetails, { params: { id: runId ?? 1 }, query: { activity: true } }),
    enabled: runId !== null,
    staleTime: Infinity,
  });
  useNewVersionMessage(activity.data);
  const error = activity.data ? run.error : activity.error;
  if (error) {
    const retry = activity.data ? run.refetch : activity.refetch;
    return (
      <Page title="">
        <FailureState error={error} onRetry={() => void retry()} />
      </Page>
    );
  }
  // What an earlier visit left in the cache may be an older version: a form stands on what the server says now.
  if (!activity.data || !activity.isFetchedAfterMount || (runId !== null && !run.data)) {
    return (
      <Page title={activity.data ? runTitle(activity.data) : ''} narrow>
        <Skeleton kind="form" />
      </Page>
    );
  }
  return <ActivityForm activity={activity.data} run={run.data ?? null} onReload={() => void activity.refetch()} />;
}

interface ActivityFormProps {
  activity: Activity;
  run: ActivityRun | null;
  onReload: () => void;
}

function ActivityForm({ activity, run, onReload }: ActivityFormProps) {
  const last = activity.SingleRun ? activity.LastRun : null;
  if (last && isPending(last.Status)) return <Navigate to={`/activities/runstatus/${last.Id}/`} replace />;
  return (
    <Page title={runTitle(activity)} description={activity.Description} menu={runFormMenu(activity)}>
      <RunForm
        key={activity.Version}
        activity={activity}
        preloaded={run ? formsOfRun(activity.Inputs, run.Inputs) : {}}
        begins={run?.Id ?? null}
        onReload={onReload}
      />
    </Page>
  );
}

export const runFormMenu = ({ Id, Type, CanEdit }: Activity): (MenuEntry | false)[] => [
  { text: 'View All Runs', icon: <History />, to: `/activities/runhistory/${Id}/` },
  Type === 'Workbook' && { text: 'View All Versions', icon: <Changes />, to: `/activities/versions/${Id}/` },
  CanEdit && { text: 'Edit', icon: <Edit />, to: `/activities/edit/${Id}/` },
];
