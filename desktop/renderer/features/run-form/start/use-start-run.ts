import { use, useCallback, useRef, useState } from 'react';
import { activityDetails, listActivities } from '#shared/contract/activities.ts';
import { runHistory } from '#shared/contract/run-history.ts';
import { pendingRuns, runDetails } from '#shared/contract/runs.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { checklistCalls, startForm } from '#renderer/features/run-form/form-calls.ts';
import type { StartedRun } from './started-run.ts';
import { checkForm } from '#renderer/features/run-form/validation/check-form.ts';
import { FormHostContext } from '#renderer/features/run-form/form-host.ts';
import { newestOfRefusal } from '#renderer/features/run-form/new-version/new-version.tsx';
import { queueStart, startOf, whyNotQueued, type QueuedForm } from './queue-start.ts';
import {
  hasIssues,
  issuesOfModelState,
  refuseStart,
  type RunFormStore,
} from '#renderer/features/run-form/run-form-store.ts';

export interface RunStart {
  start: () => void;
  isStarting: boolean;
  /** The newest version, if a start was refused because the form shows an older one. */
  newest: number | null;
  /** Starts the version of the form anyway. */
  startShown: () => void;
  /** Closes the question without starting. */
  stay: () => void;
}

/**
 * Validates the form and starts the run. Then the status page replaces the form, unless `onRun` handles the run. A
 * refusal leaves all typed values in place and shows the issues of each input.
 */
export function useStartRun(store: RunFormStore, onStarted: () => void, onRun?: (run: StartedRun) => void): RunStart {
  const { goTo } = use(FormHostContext);
  const [isStarting, setStarting] = useState(false);
  const [newest, setNewest] = useState<number | null>(null);
  const busy = useRef(false);
  const startVersion = useCallback(
    (acceptsOutdated: boolean): void => {
      if (busy.current) return;
      busy.current = true;
      setStarting(true);
      void tryStart(store, acceptsOutdated)
        .then((outcome) => {
          setNewest(outcome.newest ?? null);
          const { run } = outcome;
          if (outcome.isQueued) {
            onStarted();
            return goTo('/outbox');
          }
          if (!run) return undefined;
          onStarted();
          if (onRun) return onRun(run);
          return goTo(`/activities/runstatus/${run.Id}/`, { replace: true });
        })
        .finally(() => {
          busy.current = false;
          setStarting(false);
        });
    },
    [store, onStarted, onRun, goTo],
  );
  return {
    start: useCallback(() => startVersion(false), [startVersion]),
    isStarting,
    newest,
    startShown: () => startVersion(true),
    stay: () => setNewest(null),
  };
}

/** True if the server is known to be unreachable: then the call is not attempted. */
const mustWait = (): boolean => bridge.outbox.isOffered && bridge.connection.state() !== 'online';

/** Resolves with true if the start was queued; otherwise the form shows why not. */
async function isQueued(store: RunFormStore, start: QueuedForm): Promise<boolean> {
  const why = whyNotQueued(store.getState()) ?? (await queueStart(store.getState(), start));
  if (why !== '')
    refuseStart(store, {
      title: start.wasSent ? t('{why}. It is not known whether the run was started.', { why }) : `${why}.`,
    });
  return why === '';
}

const RUN_LISTS = [listActivities, pendingRuns, runHistory, runDetails];

/** Call this after a run was started: it refreshes all lists of runs. */
export function refreshRuns(): void {
  for (const endpoint of RUN_LISTS) {
    void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
  }
}

interface StartOutcome {
  run?: StartedRun;
  newest?: number;
  /** True if the start waits on this computer for its server. */
  isQueued?: boolean;
}

/**
 * Returns the run, or the newest version that prevents the start. Returns neither if the form was refused; the form
 * then shows why.
 */
async function tryStart(store: RunFormStore, acceptsOutdated: boolean): Promise<StartOutcome> {
  const { activity, origin } = store.getState();
  let body: QueuedForm['body'] | null = null;
  try {
    const issues = await checkForm(store.getState());
    if (hasIssues(issues)) {
      refuseStart(store, { title: FORM_ISSUE, issues });
      return {};
    }
    body = startOf(store.getState(), acceptsOutdated);
    if (mustWait()) return { isQueued: await isQueued(store, { body, wasSent: false }) };
    const run = await startForm(origin, body);
    refreshRuns();
    return { run };
  } catch (error) {
    const failure = toFailure(error);
    const newest = newestOfRefusal(failure);
    if (newest !== null) return { newest };
    // It is unknown whether the start reached the server. Because it uses the same UniqueId, it is one run, now or
    // later.
    if (failure.status === 0 && body && bridge.outbox.isOffered) {
      return { isQueued: await isQueued(store, { body, wasSent: true }) };
    }
    const { issues, general } = issuesOfModelState(activity.Inputs, failure.modelState);
    refuseStart(store, {
      title: hasIssues(issues) ? FORM_ISSUE : failure.message,
      issues,
      general: general.filter((message) => message !== failure.message),
    });
    // The refusal may come from a newer version or from a run that has started since, so refetch the activity.
    void queryClient.invalidateQueries({ queryKey: keyOf(activityDetails) });
    if (origin.kind === 'checklist')
      void checklistCalls().then(
        ({ refreshChecklists }) => refreshChecklists(),
        () => {},
      );
    return {};
  }
}
