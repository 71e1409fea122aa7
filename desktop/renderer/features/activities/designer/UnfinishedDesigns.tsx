import { Button } from '@blueprintjs/core';
import { Trash } from '@blueprintjs/icons';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteDesign, designs, type DesignItem } from '#shared/contract/designs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import './designer.css';

/** Lists workbooks that were marked but not published. */
export function UnfinishedDesigns({ onContinue }: { onContinue: (id: number) => void }) {
  const query = useQuery(queryOf(designs));
  const [asked, setAsked] = useState<DesignItem | null>(null);
  const deletion = useMutation({
    mutationFn: (id: number) => call(deleteDesign, { params: { id } }),
    onError: (error) => showError(said(toFailure(error).message)),
    onSettled: () => {
      setAsked(null);
      return queryClient.invalidateQueries({ queryKey: keyOf(designs) });
    },
  });
  const items = query.data?.Items ?? [];
  if (query.error) return <FetchFailure query={query} text={t('Your unfinished workbooks could not be loaded.')} />;
  if (items.length === 0) return null;
  return (
    <section className="rs-unfinished" aria-label={t('Unfinished workbooks')}>
      <h2>{t('Unfinished workbooks')}</h2>
      <ul className="rs-plain-list">
        {items.map((item) => (
          <li key={item.Id}>
            <span className="rs-file-name" dir="auto">
              {item.FileName}
            </span>{' '}
            <span className="rs-muted">
              {item.ActivityId !== 0 && t('new version of an activity')} <DateText value={item.Modified} />
            </span>
            {item.ActivityId === 0 ? (
              <Button
                size="small"
                text={t('Continue')}
                aria-label={t('Continue with {file}', { file: item.FileName })}
                onClick={() => onContinue(item.Id)}
              />
            ) : (
              <LinkButton
                size="small"
                to={`/activities/edit/${item.ActivityId}/?design=${item.Id}`}
                text={t('Continue')}
                aria-label={t('Continue with {file}', { file: item.FileName })}
              />
            )}
            <Button
              size="small"
              variant="minimal"
              icon={<Trash />}
              aria-label={t('Delete {file}', { file: item.FileName })}
              onClick={() => setAsked(item)}
            />
          </li>
        ))}
      </ul>
      <DeleteDialog
        isOpen={asked !== null}
        title={t('Delete {file}', { file: asked?.FileName ?? '' })}
        isBusy={deletion.isPending}
        onConfirm={() => asked && deletion.mutate(asked.Id)}
        onCancel={() => setAsked(null)}
      >
        {t('The uploaded workbook and its marks are deleted.')}
      </DeleteDialog>
    </section>
  );
}
