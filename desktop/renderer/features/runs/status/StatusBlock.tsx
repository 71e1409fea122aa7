import { Callout } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { isPending } from '#shared/contract/run-status.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { Progress } from '#renderer/ui/states.tsx';
import { statusText } from '#renderer/ui/StatusTag.tsx';
import { childCounts } from './child-counts.ts';
import { RunOutcome, WatchFailure } from './RunOutcome.tsx';
import { TimeLine } from './TimeLine.tsx';
import { WaitingReasons } from './WaitingReasons.tsx';

interface StatusProps {
  run: ActivityRun;
  watchError: Error | null;
}

/** The state of a run and its phases. */
export function StatusBlock({ run, watchError }: StatusProps) {
  return (
    <Card>
      <RunState run={run} watchError={watchError} />
      <TimeLine run={run} />
      <StartedRuns run={run} />
    </Card>
  );
}

/**
 * The state of a run: the sentence of its outcome, or icon and word, and its progress.
 * @param reason why something went wrong
 */
export function RunState({ run, watchError, reason }: StatusProps & { reason?: ReactNode }) {
  const isMoving = isPending(run.Status) && run.Status !== 'Queued' && run.Status !== 'QueuedInSeq';
  return (
    <>
      <div role="status" className="rs-run-status">
        <RunOutcome status={run.Status} reason={reason} />
      </div>
      {isMoving && (
        <Progress
          label={t('Progress of {name}', { name: run.Name })}
          share={run.Progress?.Share ?? null}
          text={progressText(run)}
        />
      )}
      <WaitingReasons run={run} />
      <WatchFailure error={watchError} />
    </>
  );
}

/** The state of a batch's rows. The run that represents the batch has no state worth showing. */
export function BatchBlock({ run, watchError }: StatusProps) {
  const { RunningChildRuns, FailedChildRuns } = run;
  const intent = RunningChildRuns > 0 ? 'primary' : FailedChildRuns > 0 ? 'danger' : 'success';
  return (
    <Card>
      <Callout compact role="status" intent={intent}>
        {batchText(run)}
      </Callout>
      <WatchFailure error={watchError} />
    </Card>
  );
}

function batchText({ RunningChildRuns, FailedChildRuns, SuccessfulChildRuns }: ActivityRun): string {
  const running = numberText(RunningChildRuns);
  const failed = numberText(FailedChildRuns);
  const succeeded = numberText(SuccessfulChildRuns);
  if (RunningChildRuns > 0)
    return t('Rows of the batch: {succeeded} succeeded, {failed} did not, {running} remaining', {
      succeeded,
      failed,
      running,
    });
  return FailedChildRuns > 0
    ? t('All rows of the batch have ended: {succeeded} succeeded, {failed} did not', { succeeded, failed })
    : t('All rows of the batch have succeeded: {succeeded}', { succeeded });
}

function progressText({ Progress: progress, Status }: ActivityRun): string {
  const phase = progress?.Phase || statusText(Status);
  return progress?.Share === null || progress?.Share === undefined
    ? phase
    : `${phase} (${Math.round(progress.Share * 100)} %)`;
}

export function StartedRuns({ run }: { run: ActivityRun }) {
  const counts = childCounts(run);
  return counts.length > 0 ? (
    <p className="rs-muted">{t('Runs started by this run: {told}', { told: counts.join(', ') })}</p>
  ) : null;
}
