import { Button } from '@blueprintjs/core';
import { Repeat } from '@blueprintjs/icons';
import { useMemo } from 'react';
import { publicOutputFileAt, publicProvideInput, type PublicActivity } from '#shared/contract/public-runs.ts';
import { hasSucceeded } from '#shared/contract/run-status.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { formsOfRun, type Forms } from '#renderer/features/run-form/form-inputs.ts';
import { MissingResult } from '#renderer/features/runs/status/MissingResult.tsx';
import { LogList } from '#renderer/features/runs/status/LogList.tsx';
import { RunPrompt } from '#renderer/features/runs/status/PromptDialog.tsx';
import { ResultView } from '#renderer/features/runs/status/result/ResultView.tsx';
import { isOver } from '#renderer/features/runs/status/run-watch.ts';
import { shownOutputs } from '#renderer/features/runs/status/shown-values.ts';
import { StatusBlock } from '#renderer/features/runs/status/StatusBlock.tsx';
import type { ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { t } from '#renderer/language/translate.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { headersOf, usePublicRun, type PublicRunKey } from './use-public-run.ts';
import '#renderer/features/runs/status/run-status.css';

interface PublicRunStatusProps {
  runKey: PublicRunKey;
  activity: PublicActivity;
  /** Called with what was entered for this run. */
  onTryAgain: (forms: Forms) => void;
}

/** The state and results of the visitor's run. */
export function PublicRunStatus({ runKey, activity, onTryAgain }: PublicRunStatusProps) {
  const { run, error, watchError, isResultFetched, resultError, refetch } = usePublicRun(runKey);
  const { token, runId } = runKey;
  const outputs = useMemo(() => (run && isOver(run) ? publicOutputs(run, { runId, token }) : []), [run, runId, token]);
  if (!run) return error ? <FailureState error={error} onRetry={refetch} /> : <Skeleton kind="form" />;
  return (
    <>
      <StatusBlock run={run} watchError={watchError} />
      {!isOver(run) && (
        <RunPrompt run={run} onAnswer={(body) => call(publicProvideInput, { body, headers: headersOf(runKey) })} />
      )}
      <LogList runId={null} entries={run.LogEntries} />
      {!isResultFetched && <MissingResult error={resultError} onRetry={refetch} />}
      {isResultFetched && outputs.length > 0 && (
        <Card title={t('Outputs')}>
          <ResultView values={outputs} />
        </Card>
      )}
      {isOver(run) && (
        <div className="rs-form-actions">
          {hasSucceeded(run.Status) ? (
            <Button icon={<Repeat />} intent="primary" text={t('Run Again')} onClick={() => window.location.reload()} />
          ) : (
            <Button
              icon={<Repeat />}
              intent="primary"
              text={t('Try Again')}
              onClick={() => onTryAgain(formsOfRun(activity.Inputs, run.Inputs))}
            />
          )}
        </div>
      )}
    </>
  );
}

/** Visitors download files and see tables. */
function publicOutputs(run: ActivityRun, key: PublicRunKey): ShownValue[] {
  return shownOutputs(run).map((value) => {
    const files = run.StoredFiles.filter(({ ActivityParameterId }) => ActivityParameterId === value.id);
    const tokenOf = (index: number) => (): Promise<string> => {
      const params = { runId: run.Id, parameterId: value.id, index };
      return call(publicOutputFileAt, { params, headers: headersOf(key) });
    };
    return {
      ...value,
      tableToken: null,
      files: files.map(({ FileName, ContentLength, ArrayIndex }) => ({
        name: FileName,
        size: ContentLength,
        token: tokenOf(ArrayIndex),
      })),
    };
  });
}
