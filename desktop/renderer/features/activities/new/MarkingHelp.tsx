import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { downloadExampleFile, exampleFiles } from '#shared/contract/example-files.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';

const CODE = { code: <code /> };

/** Explains how a workbook declares its inputs and results, and offers example files. */
export function MarkingHelp() {
  const { data, error, isLoading, refetch } = useQuery({ ...queryOf(exampleFiles), staleTime: Infinity });
  const [template, ...samples] = data?.Items.filter(({ IsUnmarked }) => !IsUnmarked) ?? [];
  const fetchFile = (FileName: string): void => void startDownload(call(downloadExampleFile, { body: { FileName } }));
  return (
    <aside className="rs-marking" aria-label={t('How to mark cells')}>
      <h2>{t('How to mark cells')}</h2>
      <p>
        {rich(
          'Name a cell or table <code>in_Amount</code> (in Excel: Formulas > Define Name) to ask for it as Amount.',
          CODE,
        )}{' '}
        <br /> {rich('Name one <code>out_Total</code> to show it as the output Total.', CODE)}
      </p>
      {isLoading && (
        <div className="rs-marking-loading">
          <Skeleton kind="grid" />
        </div>
      )}
      {error && <FailureState error={error} onRetry={() => void refetch()} />}
      {template && (
        <Button icon={<Download />} text={t('Template workbook')} onClick={() => fetchFile(template.FileName)} />
      )}
      {samples.length > 0 && (
        <>
          <h3>{t('Samples')}</h3>
          <ul className="rs-plain-list rs-marking-samples">
            {samples.map(({ FileName, Title }) => (
              <li key={FileName}>
                <Button
                  variant="minimal"
                  size="small"
                  icon={<Download />}
                  text={Title}
                  aria-label={t('Download the sample {title}', { title: Title })}
                  onClick={() => fetchFile(FileName)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}
