import { Button } from '@blueprintjs/core';
import { Repeat } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { publicActivityDetails, type PublicActivity } from '#shared/contract/public-runs.ts';
import { ALREADY_RUNNING } from '#shared/contract/run-status.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { pageSettings } from '#renderer/api/page-settings.ts';
import { Logo } from '#renderer/app/Logo.tsx';
import { NotFound } from '#renderer/app/NotFound.tsx';
import { pathBelowBase } from '#renderer/app/remembered-path.ts';
import type { Forms } from '#renderer/features/run-form/form-inputs.ts';
import { useNewVersionMessage } from '#renderer/features/run-form/new-version/new-version.tsx';
import { runTitle } from '#renderer/features/run-form/run-title.ts';
import { RunForm } from '#renderer/features/run-form/RunForm.tsx';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import type { PublicRunKey } from './use-public-run.ts';
import './public-run.css';

// Loaded on demand, because most visitors never start a run.
const PublicRunStatus = lazyPart(
  async () => (await import('./PublicRunStatus.tsx')).PublicRunStatus,
  <Skeleton kind="form" />,
);

const PATH = /^\/public\/activities\/run\/(\d+)(?=\/|\?|#|$)/;

/** /public/activities/run/{id}: for everyone, signed in or not. It is a separate page without the portal's router. */
export function PublicRunPage() {
  const [id] = useState(() => Number(PATH.exec(pathBelowBase())?.[1]));
  if (!Number.isSafeInteger(id) || id <= 0) return <NotFound home={<a href={bridge.basePath}>{t('Home')}</a>} />;
  return (
    <div className="rs-public">
      <header className="rs-public-head">
        <Logo size={22} address={pageSettings.logo2} /> {pageSettings.title}
      </header>
      <main>
        <FetchedActivity key={id} id={id} />
      </main>
    </div>
  );
}

function FetchedActivity({ id }: { id: number }) {
  // Fetch once: a later response must not overwrite what the user typed.
  const { data, error, refetch } = useQuery({
    ...queryOf(publicActivityDetails, { params: { id } }),
    staleTime: Infinity,
    gcTime: 0,
  });
  useNewVersionMessage(data);
  if (data) return <FormOrRun activity={data} onReload={() => void refetch()} />;
  return (
    <Page title={error ? t('Run activity') : ''}>
      {error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="form" />}
    </Page>
  );
}

const FORM = { kind: 'public' } as const;

/** Shows the form, and after the start the run. From there the visitor can return to the form with what was entered. */
function FormOrRun({ activity, onReload }: { activity: PublicActivity; onReload: () => void }) {
  const [run, setRun] = useState<PublicRunKey | null>(null);
  const [entered, setEntered] = useState<{ forms: Forms; times: number }>({ forms: {}, times: 0 });
  const content = (): ReactNode => {
    if (run) {
      const tryAgain = (forms: Forms): void => {
        setRun(null);
        setEntered({ forms, times: entered.times + 1 });
      };
      return <PublicRunStatus key={run.runId} runKey={run} activity={activity} onTryAgain={tryAgain} />;
    }
    if (activity.IsRunning)
      return (
        <EmptyState
          title={ALREADY_RUNNING}
          action={<Button icon={<Repeat />} text={t('Try Again')} onClick={onReload} />}
        />
      );
    return (
      <RunForm
        key={`${activity.Version}.${entered.times}`}
        activity={activity}
        preloaded={entered.forms}
        draftSource={`public.${entered.times}`}
        origin={FORM}
        onRun={({ Id, RunToken = '' }) => setRun({ runId: Id, token: RunToken })}
        onReload={onReload}
        startsByItself={entered.times === 0}
      />
    );
  };
  return (
    <Page
      title={runTitle(activity)}
      {...(run ? { number: t('Run {runId}', { runId: run.runId }) } : {})}
      description={activity.Description}
    >
      {content()}
    </Page>
  );
}
