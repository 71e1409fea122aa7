import { Button, PopoverNext } from '@blueprintjs/core';
import { Th } from '@blueprintjs/icons';
import { documentFile, findDocument } from '#shared/contract/documents.ts';
import { downloadRunFiles, type ActivityRun } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { dragOf } from '#renderer/ui/drag-file.ts';
import { MenuEntries } from '#renderer/ui/TitleMenu.tsx';
import type { ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { resultParts } from './result-parts.ts';

interface ExcelButtonProps {
  run: ActivityRun;
  values: readonly ShownValue[];
}

/** Downloads the calculated workbook. A run without one offers its tables as workbooks. */
export function ExcelButton({ run, values }: ExcelButtonProps) {
  const workbook = run.StoredFiles.find(({ ActivityParameterId }) => ActivityParameterId === null);
  if (workbook) return <WorkbookButton run={run} workbook={workbook} />;
  const tables = resultParts(values).tables.filter(({ tableToken }) => tableToken !== null);
  const [first] = tables;
  if (!first) return null;
  if (tables.length === 1) {
    return (
      <Button
        size="small"
        icon={<Th />}
        text={t('Excel')}
        title={t('Download {fileName}', { fileName: `${first.name}.xlsx` })}
        onClick={() => download(first)}
      />
    );
  }
  const entries = tables.map((table) => ({ text: table.name, icon: <Th />, onSelect: () => download(table) }));
  return (
    <PopoverNext placement="bottom-start" content={<MenuEntries entries={entries} />}>
      <Button size="small" icon={<Th />} text={t('Excel')} aria-haspopup="menu" />
    </PopoverNext>
  );
}

const download = ({ tableToken }: ShownValue): void => {
  if (tableToken) void startDownload(tableToken(null));
};

interface WorkbookButtonProps {
  run: ActivityRun;
  workbook: ActivityRun['StoredFiles'][number];
}

function WorkbookButton({ run, workbook }: WorkbookButtonProps) {
  const isOnly = run.StoredFiles.length === 1;
  const props = {
    size: 'small',
    icon: <Th />,
    text: t('Excel'),
    title: t('Download {fileName}', { fileName: workbook.FileName }),
  } as const;
  // The only file can be read without the server, unlike one of several.
  const whole = (): Promise<string> => call(downloadRunFiles, { params: { runId: run.Id } });
  const single = async (): Promise<string> =>
    (await call(findDocument, { params: { uniqueId: workbook.DocumentId } })).Token;
  return isOnly ? (
    <Button {...props} onClick={() => void startDownload(whole())} {...dragOf(whole)} />
  ) : (
    <Button {...props} onClick={() => void startDownload(single(), documentFile)} {...dragOf(single, documentFile)} />
  );
}
