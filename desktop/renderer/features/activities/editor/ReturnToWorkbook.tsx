import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { designs } from '#shared/contract/designs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { useEverTrue } from '#renderer/ui/use-ever-true.ts';
import type { WorkbookChoice } from './use-workbook-choice.ts';

const ConfirmDialog = lazyPart(async () => (await import('#renderer/ui/ConfirmDialog.tsx')).ConfirmDialog);

/** Offers to return to the workbook that was left for another one, and asks before changes would be lost. */
export function ReturnToWorkbook({ choice }: { choice: WorkbookChoice }) {
  const { left, question } = choice;
  const isAsking = useEverTrue(question !== null);
  return (
    <>
      {left?.designId != null && <ReturnOffer designId={left.designId} onReturn={choice.resume} />}
      {isAsking && (
        <ConfirmDialog
          isOpen={question !== null}
          isLocal
          title={t('Unsaved marks')}
          confirmText={t('Leave')}
          cancelText={t('Stay')}
          intent="danger"
          onConfirm={() => question?.confirm()}
          onCancel={() => question?.cancel()}
        >
          {t('Your last changes to the marks could not be saved. If you leave this workbook now, they are lost.')}
        </ConfirmDialog>
      )}
    </>
  );
}

function ReturnOffer({ designId, onReturn }: { designId: number; onReturn: (designId: number) => void }) {
  const { data } = useQuery(queryOf(designs));
  // Designs may be deleted on other pages.
  const item = data?.Items.find(({ Id }) => Id === designId);
  if (!item) return null;
  return (
    <Callout compact className="rs-return-to-workbook">
      <span>{t('Your marks in {file} are saved, but not published.', { file: item.FileName })}</span>{' '}
      <Button
        size="small"
        text={t('Continue with {file}', { file: item.FileName })}
        onClick={() => onReturn(designId)}
      />
    </Callout>
  );
}
