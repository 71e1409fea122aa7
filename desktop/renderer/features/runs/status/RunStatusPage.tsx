import { Button, Tooltip } from '@blueprintjs/core';
import { Changes, Edit, History, InfoSign, Play, Trash } from '@blueprintjs/icons';
import { useMemo, useState, type ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { hasSucceeded } from '#shared/contract/run-status.ts';
import { provideInput, type ActivityRun } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { usePageObject } from '#renderer/app/objects/page-object-claim.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { useMedia } from '#renderer/features/activities/list/use-media.ts';
import { LinkedActivities } from '#renderer/features/links/LinkedActivities.tsx';
import { PurgeRunDialog } from '#renderer/features/purge/PurgeRunDialog.tsx';
import { FidelityLine } from '#renderer/features/versions/FidelityLine.tsx';
import { rich, said, t } from '#renderer/language/translate.ts';
import { LineWithCells } from './CellLink.tsx';
import { AccessFailure } from '#renderer/features/access/AccessFailure.tsx';
import { ChildRuns } from './ChildRuns.tsx';
import { LogList } from './LogList.tsx';
import { reasonEntry } from './log-view.ts';
import { MissingResult } from './MissingResult.tsx';
import { Panel } from '#renderer/ui/Panel.tsx';
import { RunPrompt } from './PromptDialog.tsx';
import { PrintedRunFacts } from './result/PrintedRunFacts.tsx';
import { ResultActions } from './result/ResultActions.tsx';
import { ResultView } from './result/ResultView.tsx';
import { useChosenPlots } from '#renderer/ui/values/use-chosen-plots.ts';
import { RunButtons } from './RunButtons.tsx';
import { hasProblem, RunDetails } from './RunDetails.tsx';
import { isOver } from './run-watch.ts';
import { shownInputs, shownOutputs } from './shown-values.ts';
import { BatchBlock, RunState, StartedRuns } from './StatusBlock.tsx';
import { useRun } from './use-run.ts';
import { ValuesView } from '#renderer/ui/values/ValuesView.tsx';
import './run-status.css';
import './run-page.css';

/** Width from which inputs are beside outputs. Must match run-page.css. */
const BESIDE = '(min-width: 1360px)';
/** Up to this width, buttons are below the result. Must match run-page.css. */
const PHONE = '(max-width: 599px)';

/** /activities/runstatus/{id}/ */
export function RunStatusPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <WatchedPage key={id} id={id} /> : <NotFoundPage />;
}

function WatchedPage({ id }: { id: number }) {
  const { run, error, ...watched } = useRun(id);
  const { refetch } = watched;
  const [isPurging, setPurging] = useState(false);
  const isPhone = useMedia(PHONE);
  usePageObject(run && { kind: 'activity', id: run.ActivityId, name: run.Name });
  // The same page as below, so that its heading keeps the focus.
  if (!run) {
    return (
      <Page title={t('Run status')}>
        {error ? <AccessFailure kind="Run" id={id} error={error} onRetry={refetch} /> : <Skeleton kind="form" />}
      </Page>
    );
  }
  const buttons = <RunButtons run={run} refetch={refetch} />;
  return (
    <Page
      title={run.Name}
      number={t('Run {id}', { id: run.Id })}
      menu={menuOf(run, () => setPurging(true))}
      description={<RunLine run={run} />}
      actions={!isPhone && buttons}
    >
      <PrintedRunFacts run={run} />
      {run.BatchFileName === null ? (
        <SingleRun run={run} watched={watched} buttons={isPhone && <div className="rs-run-buttons">{buttons}</div>} />
      ) : (
        <>
          <BatchBlock run={run} watchError={watched.watchError} />
          <LogList runId={run.Id} entries={run.LogEntries} isGrowing={!isOver(run)} />
          <ChildRuns run={run} refetch={refetch} />
          {isPhone && <div className="rs-run-buttons">{buttons}</div>}
        </>
      )}
      <PurgeRunDialog
        runId={run.Id}
        name={run.Name}
        isOpen={isPurging}
        onClose={() => setPurging(false)}
        onFilesPurged={refetch}
      />
    </Page>
  );
}

type Watched = Omit<ReturnType<typeof useRun>, 'run' | 'error'>;

/** A run that is not a batch: its result first; without a result, its state and what went wrong. */
function SingleRun({ run, watched, buttons }: { run: ActivityRun; watched: Watched; buttons: ReactNode }) {
  const { watchError, isResultFetched, resultError, refetch } = watched;
  // A mutable map, because it is read only when a link is followed. A keystroke in a filter thus renders only its
  // table.
  const [chosen] = useState(() => new Map<number, readonly number[] | null>());
  const hasResult = isOver(run) && hasSucceeded(run.Status);
  const reason = hasProblem(run) ? reasonEntry(run.LogEntries) : null;
  return (
    <div className={run.Status === 'Succeeded' ? 'rs-run rs-run-succeeded' : 'rs-run'}>
      <RunState
        run={run}
        watchError={watchError}
        reason={reason && <LineWithCells runId={run.Id} text={said(reason.displayMessage || reason.Message)} />}
      />
      <StartedRuns run={run} />
      {!isOver(run) && <RunPrompt run={run} onAnswer={(body) => call(provideInput, { body })} />}
      {!hasResult && <RunDetails run={run} />}
      <div className="rs-run-values">
        {isResultFetched ? (
          <Outputs run={run} chosen={chosen} />
        ) : (
          <MissingResult error={resultError} onRetry={refetch} />
        )}
        <Inputs run={run} />
      </div>
      {buttons}
      {isOver(run) && <LinkedActivities run={run} chosen={chosen} />}
      <ChildRuns run={run} refetch={refetch} />
      {hasResult && <RunDetails run={run} />}
    </div>
  );
}

/** When and by whom the run was queued; the activity's description is a tooltip. */
function RunLine({ run }: { run: ActivityRun }) {
  return (
    <span className="rs-run-line">
      <span>
        {rich('Queued {queueTime} by {userFullName}, version {activityVersion}', {
          queueTime: <DateText value={run.QueueTime} />,
          userFullName: run.UserFullName,
          activityVersion: run.ActivityVersion,
        })}{' '}
        {run.ClientName && (
          <span dir="auto">
            {t('started by {clientName} for {userFullName}', {
              clientName: run.ClientName,
              userFullName: run.UserFullName,
            })}{' '}
          </span>
        )}
        {run.Description !== '' && (
          <Tooltip content={<span className="rs-run-description">{run.Description}</span>}>
            <Button
              variant="minimal"
              size="small"
              icon={<InfoSign />}
              aria-label={t('About {name}: {description}', { name: run.Name, description: run.Description })}
            />
          </Tooltip>
        )}
      </span>
      {run.ChecklistRunId !== null && (
        <Link to={`/checklists/runstatus/${run.ChecklistRunId}/`}>
          {t('Part of {checklistName}', { checklistName: run.ChecklistName })}
        </Link>
      )}
      {run.BatchFileName !== null && (
        <Link to={`/activities/batch/${run.ActivityId}/`}>
          {t('Batch of {fileName}', { fileName: run.BatchFileName })}
        </Link>
      )}
      {run.ParentRunId !== null && run.ParentName !== null && (
        <Link to={`/activities/runstatus/${run.ParentRunId}/`}>
          {t('Started by {parentName}', { parentName: run.ParentName })}
        </Link>
      )}
      {run.SourceRunId !== null && (
        <Link to={`/activities/runstatus/${run.SourceRunId}/`}>{t('With outputs of an earlier run')}</Link>
      )}
      {run.RetryOf !== null && <Link to={`/activities/runstatus/${run.RetryOf}/`}>{t('Retry of an earlier run')}</Link>}
    </span>
  );
}

function Inputs({ run }: { run: ActivityRun }) {
  const { Id, Type, Inputs: inputs } = run;
  // Memoized, because inputs never change: polling must not lay out their grids again.
  const noFiles = useProfile()?.DisableInputDownload === true;
  const values = useMemo(
    () => shownInputs({ Id, Type, Inputs: inputs } as ActivityRun, noFiles),
    [Id, Type, inputs, noFiles],
  );
  // Wide screens have room for them beside the outputs.
  const [isWide] = useState(() => window.matchMedia(BESIDE).matches);
  if (inputs.every((input) => input.HasPresetValue)) return null;
  return (
    <Panel
      title={t('Inputs')}
      name="inputs"
      isInitiallyOpen={isWide}
      actions={
        isOver(run) &&
        run.CanRun && (
          <LinkButton
            size="small"
            icon={<Edit />}
            text={t('Edit and run again')}
            to={`/activities/run/${run.ActivityId}/again/${run.Id}/`}
          />
        )
      }
    >
      <ValuesView values={values} tone="input" />
    </Panel>
  );
}

function Outputs({ run, chosen }: { run: ActivityRun; chosen: Map<number, readonly number[] | null> }) {
  const { Id, Outputs: outputs, StoredFiles } = run;
  const values = useMemo(
    () => shownOutputs({ Id, Outputs: outputs, StoredFiles } as ActivityRun),
    [Id, outputs, StoredFiles],
  );
  const plots = useChosenPlots(run.ActivityId, outputs);
  if (!isOver(run) || (outputs.length === 0 && run.StoredFiles.length === 0)) return null;
  const { ActivityId, ActivityVersion, Fidelity } = run;
  return (
    <Panel
      title={t('Outputs')}
      name="outputs"
      isInitiallyOpen
      actions={<ResultActions run={run} values={values} plots={plots} />}
    >
      {outputs.length > 0 ? (
        <ResultView values={values} chosen={chosen} plots={plots} />
      ) : (
        <p className="rs-muted">{t('This run has no outputs.')}</p>
      )}
      {Fidelity && outputs.length > 0 && (
        <FidelityLine activityId={ActivityId} version={ActivityVersion} fidelity={Fidelity} />
      )}
    </Panel>
  );
}

const menuOf = (run: ActivityRun, purge: () => void): (MenuEntry | false)[] => {
  const { ActivityId, Type, CanRun, CanEdit } = run;
  return [
    CanRun && { text: t('Run Now'), icon: <Play />, to: `/activities/run/${ActivityId}/` },
    { text: t('View All Runs'), icon: <History />, to: `/activities/runhistory/${ActivityId}/` },
    Type === 'Workbook' && {
      text: t('View All Versions'),
      icon: <Changes />,
      to: `/activities/versions/${ActivityId}/`,
    },
    CanEdit && { text: t('Edit Activity'), icon: <Edit />, to: `/activities/edit/${ActivityId}/` },
    run.CanPurge && isOver(run) && { text: t('Purge this run'), icon: <Trash />, intent: 'danger', onSelect: purge },
  ];
};
