import { Button } from '@blueprintjs/core';
import { Refresh } from '@blueprintjs/icons';
import { useRouteError } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';
import { EmptyState } from '#renderer/ui/states.tsx';

/** Replaces a screen that failed to render or whose code could not be fetched (new portal version, no network). */
export function ScreenFailure() {
  const error = useRouteError();
  const detail = error instanceof Error ? error.message : String(error);
  return (
    <EmptyState
      title={t('Unexpected error')}
      action={<Button icon={<Refresh />} text={t('Reload the page')} onClick={() => window.location.reload()} />}
    >
      {detail}
    </EmptyState>
  );
}
