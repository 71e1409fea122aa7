import { Button } from '@blueprintjs/core';
import { Export } from '@blueprintjs/icons';
import { useMutation } from '@tanstack/react-query';
import { exportHistory, type HistorySearch } from '#shared/contract/run-history.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { showError, showWarning } from '#renderer/ui/toaster.tsx';

/** All that the search finds, as a workbook. */
export function ExportButton({ search }: { search: HistorySearch }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(exportHistory, { body: search }),
    onSuccess: ({ Token, Rows, HasMore }) => {
      downloadByToken(Token);
      if (HasMore) showWarning(`The file has the newest ${Rows.toLocaleString('en')} runs only: there are more.`);
    },
    onError: (error) => showError(toFailure(error).message),
  });
  return <Button icon={<Export />} text="Export" loading={isPending} onClick={() => mutate()} />;
}
