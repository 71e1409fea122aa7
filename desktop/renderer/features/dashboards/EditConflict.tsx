import { Button, Callout } from '@blueprintjs/core';
import type { Dashboard } from '#shared/contract/dashboards.ts';
import { t } from '#renderer/language/translate.ts';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';

interface EditConflictProps {
  newer: Dashboard;
  isSaving: boolean;
  onSaveOver: () => void;
  onReload: () => void;
}

/** Offers what to do after someone else saved the dashboard in the meantime. */
export function EditConflict({ newer, isSaving, onSaveOver, onReload }: EditConflictProps) {
  return (
    <div className="rs-dashboard-add">
      <Callout compact intent="warning" role="alert">
        <p>
          {t(
            'While you were editing, another user saved the dashboard as {name}, with {count, plural, one {# tile} other {# tiles}}. Your changes are not saved yet.',
            { name: newer.Name, count: newer.Tiles.length },
          )}
        </p>
        <ServerButton text={t('Overwrite with mine')} loading={isSaving} onClick={onSaveOver} />{' '}
        <Button text={t('Discard mine and open theirs')} disabled={isSaving} onClick={onReload} />
      </Callout>
    </div>
  );
}
