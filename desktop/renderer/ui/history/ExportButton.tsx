import { Button } from '@blueprintjs/core';
import { Export } from '@blueprintjs/icons';
import { useMutation } from '@tanstack/react-query';
import type { ExportedHistory } from '#shared/contract/run-history.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showWarning } from '#renderer/ui/toaster.tsx';

/** Exports all runs that match the search as a workbook. */
export function ExportButton({
  exportRuns,
  text = t('Export'),
}: {
  exportRuns: () => Promise<ExportedHistory>;
  text?: string;
}) {
  const { mutate, isPending } = useMutation({
    mutationFn: exportRuns,
    onSuccess: ({ Token, Rows, HasMore }) => {
      downloadByToken(Token);
      if (HasMore)
        showWarning(t('The file contains only the newest {count} runs. There are more.', { count: numberText(Rows) }));
    },
    onError: (error) => showError(toFailure(error).message),
  });
  const reason = useServerReason();
  return (
    <Button
      icon={<Export />}
      text={text}
      loading={isPending}
      disabled={reason !== undefined}
      title={reason}
      onClick={() => mutate()}
    />
  );
}
