import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { linkedActivityDetails, type LinkedActivity, type OutputTransform } from '#shared/contract/links.ts';
import { ALREADY_RUNNING, isPending } from '#shared/contract/run-status.ts';
import { runDetails, type ActivityRun } from '#shared/contract/runs.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { formsOfLink } from './link-forms.ts';
import { linkedRows } from './linked-rows.ts';
import { useNewVersionMessage } from '#renderer/features/run-form/new-version/new-version.tsx';
import { PortalRunForm } from '#renderer/features/run-form/PortalRunForm.tsx';
import { runTitle } from '#renderer/features/run-form/run-title.ts';
import { runFormMenu } from '#renderer/features/run-form/RunFormPage.tsx';

/** Navigation state that the status page of the finished run passes to the form. */
export interface LinkedFormState {
  OutputTransforms: OutputTransform[];
}

/** /activities/run/{id}/link/{linkId}/{runId} */
export function LinkedFormPage() {
  const params = useParams();
  const linkId = Number(params['linkId']);
  const runId = Number(params['runId']);
  const state = useLocation().state as LinkedFormState | null;
  if (!isId(linkId) || !isId(runId)) return <NotFoundPage />;
  const transforms = state?.OutputTransforms ?? linkedRows(bridge.window, linkId, runId);
  // Only the status page knows which rows were chosen.
  if (!transforms) return <Failed error={new Error(t('An error occurred. Please try again'))} />;
  return <FetchedForm key={`${linkId}:${runId}`} linkId={linkId} runId={runId} transforms={transforms} />;
}

const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

function Failed({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <Page title={t('Run linked activity')}>
      <FailureState error={error} onRetry={onRetry} />
    </Page>
  );
}

interface LinkedFormProps {
  linkId: number;
  runId: number;
  transforms: OutputTransform[];
}

function FetchedForm(props: LinkedFormProps) {
  const { linkId, runId } = props;
  const linked = useQuery({
    ...queryOf(linkedActivityDetails, { params: { linkId } }),
    staleTime: Infinity,
    gcTime: 0,
  });
  const run = useQuery({
    ...queryOf(runDetails, { params: { id: runId }, query: { activity: true } }),
    staleTime: Infinity,
  });
  useNewVersionMessage(linked.data?.Activity);
  const failed = [linked, run].find(({ data, error }) => !data && error !== null);
  if (failed?.error) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!linked.data || !run.data) {
    return (
      <Page title="" narrow>
        <Skeleton kind="form" />
      </Page>
    );
  }
  return <LinkedForm {...props} linked={linked.data} run={run.data} onReload={() => void linked.refetch()} />;
}

function LinkedForm({
  linkId,
  runId,
  transforms,
  linked: { Activity: activity, Link },
  run,
  onReload,
}: LinkedFormProps & { linked: LinkedActivity; run: ActivityRun; onReload: () => void }) {
  const preloaded = useMemo(
    () => formsOfLink(activity.Inputs, Link, run, transforms),
    [activity, Link, run, transforms],
  );
  const origin = useMemo(() => ({ kind: 'link', linkId, runId, transforms }) as const, [linkId, runId, transforms]);
  const last = activity.SingleRun ? activity.LastRun : null;
  return (
    <Page
      title={runTitle(activity)}
      description={t('{name}: with outputs of {name2}', { name: Link.Name, name2: run.Name })}
      menu={runFormMenu(activity)}
    >
      {last && isPending(last.Status) ? (
        <EmptyState title={ALREADY_RUNNING} />
      ) : (
        <PortalRunForm
          key={activity.Version}
          activity={activity}
          preloaded={preloaded}
          draftSource={`${runId}.${linkId}.${shortHash(JSON.stringify(transforms))}`}
          origin={origin}
          onReload={onReload}
        />
      )}
    </Page>
  );
}

/** Distinguishes choices of rows in draft keys. */
function shortHash(text: string): string {
  let hash = 5381;
  for (let at = 0; at < text.length; at++) hash = (hash * 33 + text.charCodeAt(at)) % 4_294_967_291;
  return hash.toString(36);
}
