import { Button } from '@blueprintjs/core';
import { Stop } from '@blueprintjs/icons';
import { useServerReason } from '#renderer/api/connection.ts';
import { t } from '#renderer/language/translate.ts';
import { useCancelling } from '../operator/use-cancelling.ts';
import type { CancellableRow } from './pending-rows.ts';

interface PickedPendingProps {
  picked: readonly CancellableRow[];
  cancel: (row: CancellableRow) => Promise<unknown>;
  onDone: () => void;
}

/** Cancels the pending runs that are ticked. */
export function PickedPending({ picked, cancel, onDone }: PickedPendingProps) {
  const away = useServerReason();
  const { isBusy, cancelAll } = useCancelling(onDone);
  const reason = away ?? (picked.length === 0 ? t('Choose runs first') : undefined);
  return (
    <div className="rs-history-chosen" role="region" aria-label={t('Chosen runs')}>
      <strong role="status">
        {picked.length === 0
          ? t('No runs chosen')
          : t('{count, plural, one {1 run chosen} other {# runs chosen}}', { count: picked.length })}
      </strong>
      <Button
        icon={<Stop />}
        text={t('Cancel chosen runs')}
        loading={isBusy}
        disabled={reason !== undefined}
        title={reason}
        onClick={() => void cancelAll(picked.map((row) => () => cancel(row)))}
      />
    </div>
  );
}
