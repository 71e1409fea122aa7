import { use, useCallback, useRef, useState } from 'react';
import { activityDetails, listActivities } from '#shared/contract/activities.ts';
import { runHistory } from '#shared/contract/run-history.ts';
import { pendingRuns, runDetails } from '#shared/contract/runs.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { checklistCalls, startForm } from './form-calls.ts';
import type { StartedRun } from './started-run.ts';
import { checkForm } from './check-form.ts';
import { FormPlaceContext } from './form-place.ts';
import { newestOfRefusal } from './new-version.tsx';
import { queueStart, startOf, whyNotQueued, type QueuedForm } from './queue-start.ts';
import { hasIssues, issuesOfModelState, refuseStart, type RunFormStore } from './run-form-store.ts';

export interface RunStart {
  start: () => void;
  isStarting: boolean;
  /** The newest version, once a start was refused because the form shows an older one. */
  newest: number | null;
  /** Starts the version that the form shows all the same. */
  startShown: () => void;
  /** Leaves it at the refusal. */
  stay: () => void;
}

/**
 * Checks the form and starts the run; then its status takes the form's place, or `onRun` says what does. A refusal leaves everything typed where
 * it is and says at each input what is wrong.
 */
export function useStartRun(store: RunFormStore, onStarted: () => void, onRun?: (run: StartedRun) => void): RunStart {
  const { goTo } = use(FormPlaceContext);
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

/** Where the server is known to be away it is not even tried. */
const mustWait = (): boolean => bridge.outbox.isOffered && bridge.connection.state() !== 'online';

/** Whether it is kept; where not, the form says why. */
async function isQueued(store: RunFormStore, start: QueuedForm): Promise<boolean> {
  const why = whyNotQueued(store.getState()) ?? (await queueStart(store.getState(), start));
  if (why !== '')
    refuseStart(store, {
      title: start.wasSent ? t('{why}. Whether it was started is not known.', { why }) : `${why}.`,
    });
  return why === '';
}

const RUN_LISTS = [listActivities, pendingRuns, runHistory, runDetails];

/** To be called where a run was started: whatever lists runs looks again. */
export function refreshRuns(): void {
  for (const endpoint of RUN_LISTS) {
    void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
  }
}

interface StartOutcome {
  run?: StartedRun;
  newest?: number;
  /** It waits on this computer for its server. */
  isQueued?: boolean;
}

/** The run, or the newest version that keeps it from being started; neither where it was refused, which the form then shows. */
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
    // Whether it reached the server is not known; as it keeps its UniqueId it is one run, now or later.
    if (failure.status === 0 && body && bridge.outbox.isOffered) {
      return { isQueued: await isQueued(store, { body, wasSent: true }) };
    }
    const { issues, general } = issuesOfModelState(activity.Inputs, failure.modelState);
    refuseStart(store, {
      title: hasIssues(issues) ? FORM_ISSUE : failure.message,
      issues,
      general: general.filter((message) => message !== failure.message),
    });
    // A newer version of the activity, or a run that began meanwhile, is a reason to be refused: look again.
    void queryClient.invalidateQueries({ queryKey: keyOf(activityDetails) });
    if (origin.kind === 'checklist')
      void checklistCalls().then(
        ({ refreshChecklists }) => refreshChecklists(),
        () => {},
      );
    return {};
  }
}
