import { useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { encodeInput } from '#shared/codecs/input-form.ts';
import { activityDetails, listActivities } from '#shared/contract/activities.ts';
import { runHistory } from '#shared/contract/run-history.ts';
import { pendingRuns, runDetails } from '#shared/contract/runs.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { startForm, type StartedRun } from './form-calls.ts';
import { checkForm } from './check-form.ts';
import { hasIssues, issuesOfModelState, refuseStart, type RunFormStore } from './run-form-store.ts';

/**
 * Checks the form and starts the run; then its status takes the form's place, or `onRun` says what does. A refusal leaves everything typed where
 * it is and says at each input what is wrong.
 */
export function useStartRun(
  store: RunFormStore,
  onStarted: () => void,
  onRun?: (run: StartedRun) => void,
): { start: () => void; isStarting: boolean } {
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const busy = useRef(false);
  const start = useCallback((): void => {
    if (busy.current) return;
    busy.current = true;
    setStarting(true);
    void tryStart(store)
      .then((run) => {
        if (run === null) return undefined;
        onStarted();
        if (onRun) return onRun(run);
        return navigate(`/activities/runstatus/${run.Id}/`, { replace: true });
      })
      .finally(() => {
        busy.current = false;
        setStarting(false);
      });
  }, [store, onStarted, onRun, navigate]);
  return { start, isStarting };
}

/** To be called where a run was started: whatever lists runs looks again. */
export function refreshRuns(): void {
  for (const endpoint of [listActivities, pendingRuns, runHistory, runDetails]) {
    void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
  }
}

/** The run; null where it was refused, which the form then shows. */
async function tryStart(store: RunFormStore): Promise<StartedRun | null> {
  const { activity, origin } = store.getState();
  try {
    const issues = await checkForm(store.getState());
    if (hasIssues(issues)) {
      refuseStart(store, { title: FORM_ISSUE, issues });
      return null;
    }
    const { forms, uniqueId } = store.getState();
    const run = await startForm(origin, {
      ActivityId: activity.Id,
      ActivityVersion: activity.Version,
      UniqueId: uniqueId,
      Inputs: activity.Inputs.flatMap((input) => encodeInput(input, forms[input.Id]!)),
    });
    refreshRuns();
    return run;
  } catch (error) {
    const failure = toFailure(error);
    const { issues, general } = issuesOfModelState(activity.Inputs, failure.modelState);
    refuseStart(store, {
      title: hasIssues(issues) ? FORM_ISSUE : failure.message,
      issues,
      general: general.filter((message) => message !== failure.message),
    });
    // A newer version of the activity, or a run that began meanwhile, is a reason to be refused: look again.
    void queryClient.invalidateQueries({ queryKey: keyOf(activityDetails) });
    return null;
  }
}
