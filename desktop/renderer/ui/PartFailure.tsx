import { Button } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons';
import type { ServerState } from '#renderer/api/new-version.ts';
import { t } from '#renderer/language/translate.ts';
import { reloadAfterStoringWork } from './leaving.ts';

// A function instead of a constant, because this module is loaded before the catalogue.
const textsOf = (state: ServerState): { title: string; text: string } =>
  ({
    upgraded: {
      title: t('A new version is available'),
      text: t('Reload the page to continue with it. What you entered is not lost.'),
    },
    away: { title: t('This part of the page could not be loaded'), text: t('The server cannot be reached.') },
    same: {
      title: t('This part of the page could not be loaded'),
      text: t('The server is available again. Please retry.'),
    },
  })[state];

/** Replaces a part whose code could not be fetched: explains the reason and what to do. */
export function PartFailure({ state, onRetry }: { state: ServerState; onRetry: () => void }) {
  const { title, text } = textsOf(state);
  return (
    <div className="rs-empty" role="alert">
      <ErrorIcon size={24} title={false} className="rs-danger-text" />
      <strong>{title}</strong>
      <p>{text}</p>
      <div className="rs-empty-actions">
        {state !== 'upgraded' && <Button icon={<Refresh />} text={t('Retry')} onClick={onRetry} />}
        {/* Some browsers cache the failure to fetch a file until the page is reloaded. */}
        {state !== 'away' && (
          <Button
            intent={state === 'upgraded' ? 'primary' : 'none'}
            text={t('Reload')}
            onClick={() => void reloadAfterStoringWork()}
          />
        )}
      </div>
    </div>
  );
}
