import { APPROVAL_COUNT_MAX } from '#shared/contract/approvals.ts';
import { t } from '#renderer/language/translate.ts';

/** The number of things that wait for the user behind an entry or a tab. */
export function WaitingCount({ count }: { count: number }) {
  const shown = count >= APPROVAL_COUNT_MAX ? `${APPROVAL_COUNT_MAX - 1}+` : String(count);
  return (
    <>
      {' '}
      <span className="rs-side-count">
        {shown}
        <span className="rs-visually-hidden"> {t('waiting')}</span>
      </span>
    </>
  );
}
