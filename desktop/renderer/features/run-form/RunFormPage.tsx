import { Callout } from '@blueprintjs/core';
import { Edit, Changes, History, Link as LinkIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Navigate, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { runDetails, type ActivityRun } from '#shared/contract/runs.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { OutboxNotice, type WaitingForm } from '#renderer/features/outbox/OutboxNotice.tsx';
import { useOutboxForm } from '#renderer/features/outbox/use-outbox-form.ts';
import { AccessFailure } from '#renderer/features/access/AccessFailure.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { formsOfRun } from './form-inputs.ts';
import { formsOfLink } from './prefilled-link.ts';
import { useNewVersionMessage } from './new-version/new-version.tsx';
import { PortalRunForm } from './PortalRunForm.tsx';
import { runTitle } from './run-title.ts';

/** /activities/run/{id}, and /again/{runId} with the inputs of an earlier run. */
export function RunFormPage() {
  const params = useParams();
  const [search] = useSearchParams();
  const { hash } = useLocation();
  const id = Number(params['id']);
  const runId = params['runId'] === undefined ? null : Number(params['runId']);
  if (!isId(id) || (runId !== null && !isId(runId))) return <NotFoundPage />;
  const waiting = search.get('outbox');
  const link = runId === null && waiting === null ? hash : '';
  return <FetchedForm key={`${id}:${runId}:${waiting}:${link}`} id={id} runId={runId} waiting={waiting} link={link} />;
}

const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

interface FetchedFormProps {
  id: number;
  runId: number | null;
  /** Id of a start that waits on this computer. */
  waiting: string | null;
  /** Values after the '#' in the address; '' if there are none. */
  link: string;
}

function FetchedForm({ id, runId, waiting, link }: FetchedFormProps) {
  const queued = useOutboxForm(waiting);
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
      <Page title={t('Run activity')}>
        {activity.data && runId !== null ? (
          <AccessFailure kind="Run" id={runId} error={error} onRetry={() => void retry()} />
        ) : (
          <AccessFailure kind="Activity" id={id} error={error} onRetry={() => void retry()} />
        )}
      </Page>
    );
  }
  // Wait for a fresh response: cached data of an earlier visit may be an older version.
  if (!activity.data || !activity.isFetchedAfterMount || (runId !== null && !run.data) || queued === undefined) {
    return (
      <Page title={activity.data ? runTitle(activity.data) : ''} narrow>
        <Skeleton kind="form" />
      </Page>
    );
  }
  return (
    <ActivityForm
      activity={activity.data}
      run={run.data ?? null}
      waiting={waiting !== null && queued ? { id: waiting, form: queued } : null}
      link={link}
      onReload={() => void activity.refetch()}
    />
  );
}

interface ActivityFormProps {
  activity: Activity;
  run: ActivityRun | null;
  waiting: WaitingForm | null;
  link: string;
  onReload: () => void;
}

function ActivityForm({ activity, run, waiting, link, onReload }: ActivityFormProps) {
  const onStarted = useCallback(() => void (waiting && bridge.outbox.remove(waiting.id)), [waiting]);
  const linked = useMemo(() => formsOfLink(activity.Inputs, link), [activity.Inputs, link]);
  const last = activity.SingleRun ? activity.LastRun : null;
  if (last && isPending(last.Status)) return <Navigate to={`/activities/runstatus/${last.Id}/`} replace />;
  return (
    <Page title={runTitle(activity)} description={activity.Description} menu={runFormMenu(activity)}>
      {Object.keys(linked).length > 0 && (
        <Callout compact icon={<LinkIcon />} className="rs-form-notice">
          {t('Values of this form come from the link that opened it. Check them before you start.')}
        </Callout>
      )}
      {waiting && <OutboxNotice {...waiting} activity={activity} />}
      <PortalRunForm
        key={activity.Version}
        activity={activity}
        preloaded={run ? formsOfRun(activity.Inputs, run.Inputs) : linked}
        draftSource={waiting ? `outbox-${waiting.id}` : link === '' ? (run?.Id ?? null) : `link-${link}`}
        filled={waiting?.form ?? null}
        onStarted={onStarted}
        startsByItself={waiting === null && link === ''}
        onReload={onReload}
      />
    </Page>
  );
}

export const runFormMenu = ({ Id, Type, CanEdit }: Activity): (MenuEntry | false)[] => [
  { text: t('View All Runs'), icon: <History />, to: `/activities/runhistory/${Id}/` },
  Type === 'Workbook' && { text: t('View All Versions'), icon: <Changes />, to: `/activities/versions/${Id}/` },
  CanEdit && { text: t('Edit'), icon: <Edit />, to: `/activities/edit/${Id}/` },
];
