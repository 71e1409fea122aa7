import { Button } from '@blueprintjs/core';
import { Comparison, Download, Duplicate, Endorsed, Print } from '@blueprintjs/icons';
import { downloadRunFiles, type ActivityRun } from '#shared/contract/runs.ts';
import { testCaseOfRun } from '#shared/contract/test-beds.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { fileSizeText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { dragOf } from '#renderer/ui/drag-file.ts';
import { copyTables } from '#renderer/ui/grid/copy-tables.ts';
import { MoreMenu, type MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { showError, showMessage, showSuccess } from '#renderer/ui/toaster.tsx';
import { offersAllFiles } from '../shown-values.ts';
import { useCompareWithPrevious } from '../use-compare-with-previous.ts';
import type { ChosenPlots } from '#renderer/ui/values/use-chosen-plots.ts';
import type { ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { copiedResult, copiedText } from './copy-result.ts';
import { ExcelButton } from './ExcelButton.tsx';
import { PdfButton } from './PdfButton.tsx';
import { ShareResult } from './ShareResult.tsx';

interface ResultActionsProps {
  run: ActivityRun;
  values: readonly ShownValue[];
  plots: ChosenPlots;
}

/** What one does with a result: four buttons, and a menu for the rest. */
export function ResultActions({ run, values, plots }: ResultActionsProps) {
  const compare = useCompareWithPrevious(run);
  return (
    <div className="rs-panel-actions">
      <ExcelButton run={run} values={values} />
      <PdfButton run={run} plots={plots} />
      {run.Outputs.length > 0 && (
        <Button
          size="small"
          icon={<Duplicate />}
          text={t('Copy')}
          title={t('Copy all outputs, to paste them into Excel or an email')}
          aria-label={t('Copy the result')}
          onClick={() => void copy(values)}
        />
      )}
      <ShareResult run={run} />
      {offersAllFiles(run) && <AllFiles run={run} />}
      <MoreMenu label={t('More actions')} entries={() => menuOf(run, compare)} />
    </div>
  );
}

/** Downloads the files of the run as one archive. */
function AllFiles({ run }: { run: ActivityRun }) {
  const size = run.StoredFiles.reduce((sum, file) => sum + file.ContentLength, 0);
  const token = (): Promise<string> => call(downloadRunFiles, { params: { runId: run.Id } });
  return (
    <Button
      size="small"
      icon={<Download />}
      text={t('Download all')}
      title={`${run.StoredFileNames.join('\n')}\n${fileSizeText(size)}`}
      onClick={() => void startDownload(token())}
      {...dragOf(token)}
    />
  );
}

async function copy(values: readonly ShownValue[]): Promise<void> {
  const tables = copiedResult(values);
  if (await copyTables(copiedText(tables), tables)) showMessage(t('Copied'));
  else showError(t('The result could not be copied'));
}

function menuOf(run: ActivityRun, compare: () => Promise<void>): MenuEntry[] {
  const entries: MenuEntry[] = [{ text: t('Print'), icon: <Print />, onSelect: () => window.print() }];
  if (run.Outputs.length > 0)
    entries.push({ text: t('Compare with previous run'), icon: <Comparison />, onSelect: () => void compare() });
  if (run.CanEdit && run.Type === 'Workbook')
    entries.push({ text: t('Save as test case'), icon: <Endorsed />, onSelect: () => void saveAsTestCase(run.Id) });
  return entries;
}

async function saveAsTestCase(runId: number): Promise<void> {
  try {
    await call(testCaseOfRun, { params: { runId } });
    showSuccess(t('The run was saved as a test case of the activity'));
  } catch (error) {
    showError(toFailure(error).message || t('Unexpected error'));
  }
}
