import { useEffect, useRef, useState } from 'react';
import type { Output } from '#shared/contract/parameters.ts';
import { hasSucceeded, LogCategory, OUTCOME_TEXT, STATUS_TEXT } from '#shared/contract/run-status.ts';
import type { RunState } from '#shared/contract/runs.ts';
import { type JsonCell } from '#shared/codecs/format-value.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import { said, t } from '#renderer/language/translate.ts';
import { messageOf } from './failures.ts';
import { openInBrowser } from './office.ts';
import { Button, Note, Problem } from './parts.tsx';
import { cancel, watch, type WatchedRun } from './running.ts';
import { portalAddress } from './session.ts';
import { useTask } from './use-task.ts';
import { writeResults } from './write-results.ts';

/** A run from its start to its results on a sheet. */
export function RunProgress({ run, leave }: { run: WatchedRun; leave: () => void }) {
  const [state, setState] = useState<RunState | null>(null);
  const [end, setEnd] = useState<RunState | null>(null);
  const [isAway, setAway] = useState(false);
  const [problem, setProblem] = useState('');
  const cancelling = useTask();

  useEffect(() => {
    const leaving = new AbortController();
    const onState = (fresh: RunState | null): void => {
      setAway(fresh === null);
      if (fresh) setState(fresh);
    };
    watch(run.runId, onState, leaving.signal).then(
      (ended) => setEnd(ended),
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(messageOf(error));
      },
    );
    return () => leaving.abort();
  }, [run.runId]);

  const shown = end ?? state;
  const logs = (shown?.LogEntries ?? []).filter(({ Category }) => Category >= LogCategory.Warning);
  return (
    <div className="rs-pane-body">
      <h2>{`${run.activityName} · ${t('Run {number}', { number: run.runId })}`}</h2>
      {end === null ? (
        <Waiting state={state} isAway={isAway && problem === ''} isStopped={problem !== ''} />
      ) : (
        <Note tone={hasSucceeded(end.Status) ? 'success' : 'warning'}>{said(OUTCOME_TEXT[end.Status] ?? '')}</Note>
      )}
      <Problem text={problem} />
      {(shown?.LogEntries ?? []).some(({ prompt }) => prompt) && (
        <Note tone="warning">{t('The run has a question. Answer it in the portal.')}</Note>
      )}
      {logs.length > 0 && (
        <ul className="rs-pane-lines" aria-label={t('Log')}>
          {logs.map(({ Id, displayMessage, Message }) => (
            <li key={Id} className="rs-pane-break">
              {said(displayMessage || Message)}
            </li>
          ))}
        </ul>
      )}
      {end && hasSucceeded(end.Status) && <Results run={run} outputs={end.Outputs} />}
      <div className="rs-pane-actions">
        {end === null && problem === '' && (
          <Button
            disabled={cancelling.isBusy}
            onClick={() => void cancelling.run(async () => void (await cancel(run.runId)))}
          >
            {t('Cancel run')}
          </Button>
        )}
        <Button onClick={() => openInBrowser(`${portalAddress}activities/runstatus/${run.runId}`)}>
          {t('Open in the portal')}
        </Button>
        <Button onClick={leave}>{end === null ? t('Leave it running') : t('Run another')}</Button>
      </div>
      <Problem text={cancelling.problem} />
    </div>
  );
}

function Waiting({ state, isAway, isStopped }: { state: RunState | null; isAway: boolean; isStopped: boolean }) {
  if (isStopped) return null;
  const { Phase = '', Share = null } = state?.Progress ?? {};
  return (
    <>
      <Note>
        {state ? said(STATUS_TEXT[state.Status]) : t('Started')}
        {Phase !== '' && ` · ${said(Phase)}`}
      </Note>
      {/* Without a value, the progress bar is animated as indeterminate. */}
      <progress aria-label={t('Progress')} {...(Share === null ? {} : { value: Share, max: 1 })} />
      {isAway && (
        <Note tone="warning">
          {t('The portal is not responding. The run continues there, and Excel keeps trying to connect.')}
        </Note>
      )}
    </>
  );
}

function Results({ run, outputs }: { run: WatchedRun; outputs: readonly Output[] }) {
  const [share, setShare] = useState<number | null>(null);
  const [sheets, setSheets] = useState<string[]>([]);
  const stop = useRef<AbortController | null>(null);
  const task = useTask();
  const values = outputs.filter(({ Value }) => Value !== null);
  const hasFiles = values.length < outputs.length;
  const bring = (): void =>
    void task.run(
      async () => {
        setShare(0);
        stop.current = new AbortController();
        const heads = [[run.activityName], [t('Run {number}', { number: run.runId })]];
        const options = { name: run.activityName, heads, outputs: values, onProgress: setShare };
        setSheets((await writeResults({ ...options, signal: stop.current.signal })).sheets);
      },
      () => stop.current?.signal.aborted === true,
    );
  return (
    <section aria-label={t('Results')}>
      <dl className="rs-pane-results">
        {values.slice(0, 20).map((output) => (
          <div key={output.Id}>
            <dt>{output.Name}</dt>
            <dd>{summary(output)}</dd>
          </div>
        ))}
      </dl>
      {hasFiles && <p className="rs-muted">{t('You can download files from the portal.')}</p>}
      {values.length > 0 && (
        <Button variant="primary" disabled={task.isBusy} onClick={bring}>
          {t('Insert the results in a new sheet')}
        </Button>
      )}
      {task.isBusy && (
        <>
          <progress aria-label={t('Progress of the sheet')} value={share ?? 0} max={1} />
          <Button onClick={() => stop.current?.abort(new Error('stopped'))}>{t('Stop')}</Button>
        </>
      )}
      {!task.isBusy && task.problem === '' && sheets.length > 0 && (
        <Note tone="success">{t('The results are on the sheet {name}.', { name: sheets.join(', ') })}</Note>
      )}
      <Problem text={task.problem} />
    </section>
  );
}

function summary({ Value, Info }: Output): string {
  const value = JSON.parse(Value!) as JsonCell | unknown[];
  if (!Array.isArray(value)) return shownValue(value, Info.Formats[0] || 'General', Info.CellUsages[0]);
  return t('{count, plural, one {# row} other {# rows}}', { count: value.length });
}
