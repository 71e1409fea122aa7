import { Button } from '@blueprintjs/core';
import { Add, Download, Repeat, Upload } from '@blueprintjs/icons';
import { useState } from 'react';
import { importTestCases, testCaseTemplate, type TestBed } from '#shared/contract/test-beds.ts';
import { call, upload } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { t } from '#renderer/language/translate.ts';
import { FileButton } from '#renderer/ui/FileButton.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { ImportFailure, failedImportOf, type FailedImport } from './ImportFailure.tsx';
import type { useAct } from './use-act.ts';

interface CaseButtonsProps extends Pick<ReturnType<typeof useAct>, 'busy' | 'act'> {
  id: number;
  bed: TestBed;
  replay: (caseId: number | null) => Promise<void>;
}

/** Actions for all test cases of an activity. */
export function CaseButtons({ id, bed, busy, act, replay }: CaseButtonsProps) {
  const [refused, setRefused] = useState<FailedImport | null>(null);
  const reason = useServerReason();
  const isOff = busy !== null || reason !== undefined;
  const send = async (file: File): Promise<void> => {
    setRefused(null);
    const form = new FormData();
    form.append('file', file, file.name);
    try {
      const { Count } = await upload(importTestCases, form, { params: { id } });
      showMessage(
        t('{count, plural, one {One test case was imported} other {# test cases were imported}}', { count: Count }),
      );
    } catch (error) {
      setRefused(failedImportOf(file.name, error));
    }
  };
  return (
    <>
      <div className="rs-testbed-bar">
        {bed.Cases.length > 0 && (
          <Button
            icon={<Repeat />}
            intent="primary"
            text={t('Replay all')}
            loading={busy === 'all'}
            disabled={reason !== undefined}
            title={reason}
            onClick={() => void act('all', () => replay(null))}
          />
        )}
        <LinkButton icon={<Add />} text={t('New case')} to={`/activities/testbed/${id}/case/new`} needsServer />
        <Button
          icon={<Download />}
          text={t('Template')}
          disabled={reason !== undefined}
          title={reason ?? t('A workbook for entering test cases, one per row')}
          onClick={() => void startDownload(call(testCaseTemplate, { params: { id } }))}
        />
        <FileButton
          icon={<Upload />}
          text={t('Import')}
          label={t('Table of test cases')}
          accept=".xlsx,.xlsm,.csv,.txt"
          isDisabled={isOff}
          onChoose={(file) => void act('import', () => send(file))}
        />
      </div>
      {refused && <ImportFailure refused={refused} />}
    </>
  );
}
