import { Button, Tooltip } from '@blueprintjs/core';
import { Changes, Download, Edit, History, InfoSign, Play, Th, Trash } from '@blueprintjs/icons';
import { useMemo, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { documentFile, findDocument } from '#shared/contract/documents.ts';
import { downloadRunFiles, provideInput, type ActivityRun } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { DateText, FileSize } from '#renderer/ui/texts.tsx';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { LinkedActivities } from '#renderer/features/links/LinkedActivities.tsx';
import { PurgeRunDialog } from '#renderer/features/purge/PurgeRunDialog.tsx';
import { dragOf } from '#renderer/features/runs/drag-file.ts';
import { startDownload } from '#renderer/features/runs/downloads.ts';
import { AccessFailure } from '#renderer/features/access/AccessFailure.tsx';
import { rich, t } from '#renderer/language/translate.ts';
import { ChildRuns } from './ChildRuns.tsx';
import { CompareButton } from './CompareButton.tsx';
import { MissingResult } from './MissingResult.tsx';
import { LogList } from './LogList.tsx';
import { Panel } from './Panel.tsx';
import { RunPrompt } from './PromptDialog.tsx';
import { RunButtons } from './RunButtons.tsx';
import { isOver } from './run-watch.ts';
import { calculatedWorkbook, offersAllFiles, shownInputs, shownOutputs } from './shown-values.ts';
import { StatusBlock } from './StatusBlock.tsx';
import { useRun } from './use-run.ts';
import { CopyLink, ValuesView } from './ValuesView.tsx';
import './run-status.css';

/** Width from which inputs are beside outputs. Must match run-status.css. */
const BESIDE = '(min-width: 1600px)';

/** /activities/runstatus/{id}/ */
export function RunStatusPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <WatchedPage key={id} id={id} /> : <NotFoundPage />;
}

function WatchedPage({ id }: { id: number }) {
  const { run, error, watchError, isResultFetched, resultError, refetch } = useRun(id);
  const [isPurging, setPurging] = useState(false);
  // A mutable map, because it is read only when a link is followed. A keystroke in a filter thus renders only its
  // table.
  const [chosen] = useState(() => new Map<number, readonly number[] | null>());
  if (!run) {
    return (
      <Page title={t('Run status')}>
        {error ? <AccessFailure kind="Run" id={id} error={error} onRetry={refetch} /> : <Skeleton kind="form" />}
      </Page>
    );
  }
  return (
    <Page
      title={run.Name}
      number={t('Run {id}', { id: run.Id })}
      menu={menuOf(run, () => setPurging(true))}
      description={<RunLine run={run} />}
      actions={<RunButtons run={run} refetch={refetch} />}
    >
      <StatusBlock run={run} watchError={watchError} />
      {!isOver(run) && <RunPrompt run={run} onAnswer={(body) => call(provideInput, { body })} />}
      <LogList runId={run.Id} entries={run.LogEntries} isGrowing={!isOver(run)} />
      <ChildRuns run={run} refetch={refetch} />
      {run.BatchFileName === null && (
        <>
          {isOver(run) && <LinkedActivities run={run} chosen={chosen} />}
          <div className="rs-run-values">
            {isResultFetched ? (
              <Outputs run={run} chosen={chosen} />
            ) : (
              <MissingResult error={resultError} onRetry={refetch} />
            )}
            <Inputs run={run} />
          </div>
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
    <Panel title={t('Inputs')} name="inputs" isInitiallyOpen={isWide}>
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
  if (!isOver(run) || (outputs.length === 0 && run.StoredFiles.length === 0)) return null;
  return (
    <Panel title={t('Outputs')} name="outputs" isInitiallyOpen actions={<OutputActions run={run} />}>
      {outputs.length > 0 ? (
        <ValuesView values={values} tone="output" chosen={chosen} />
      ) : (
        <p className="rs-muted">{t('This run has no outputs.')}</p>
      )}
    </Panel>
  );
}

function OutputActions({ run }: { run: ActivityRun }) {
  return (
    <div className="rs-panel-actions">
      {run.Outputs.length > 0 && <CompareButton run={run} />}
      <AllFiles run={run} />
    </div>
  );
}

/** Downloads several files together, or a single file by its name. */
function AllFiles({ run }: { run: ActivityRun }) {
  const [first] = run.StoredFiles;
  if (!first) return null;
  const workbook = calculatedWorkbook(run);
  const token = (): Promise<string> => call(downloadRunFiles, { params: { runId: run.Id } });
  const size = run.StoredFiles.reduce((sum, file) => sum + file.ContentLength, 0);
  return (
    <div className="rs-panel-actions">
      {workbook && <CalculatedWorkbook file={workbook} />}
      <Button
        size="small"
        icon={<Download />}
        text={offersAllFiles(run) ? t('Download all') : first.FileName}
        title={
          offersAllFiles(run) ? run.StoredFileNames.join('\n') : t('Download {fileName}', { fileName: first.FileName })
        }
        onClick={() => void startDownload(token())}
        {...dragOf(token)}
      />
      {run.StoredFiles.length === 1 && <CopyLink name={first.FileName} documentId={first.DocumentId} />}
      <span className="rs-muted">
        <FileSize bytes={size} />
      </span>
    </div>
  );
}

/** Downloads only the workbook, if the run also created other files. */
function CalculatedWorkbook({ file }: { file: ActivityRun['StoredFiles'][number] }) {
  const token = async (): Promise<string> =>
    (await call(findDocument, { params: { uniqueId: file.DocumentId } })).Token;
  return (
    <>
      <Button
        size="small"
        icon={<Th />}
        text={t('Calculated workbook')}
        title={t('Download {fileName}', { fileName: file.FileName })}
        onClick={() => void startDownload(token(), documentFile)}
        {...dragOf(token, documentFile)}
      />
      <CopyLink name={file.FileName} documentId={file.DocumentId} />
    </>
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
