import { Dialog, DialogBody } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import './palette.css';
import { usePageKeys, type KeyGroup } from '#renderer/ui/page-keys.ts';

const EVERYWHERE: KeyGroup = {
  title: t('Everywhere'),
  keys: [
    { keys: 'Ctrl+K', does: t('Go to an activity, page or run') },
    { keys: '?', does: t('Show these shortcuts') },
    { keys: t('Tab, Shift+Tab'), does: t('The next and the previous control') },
    { keys: t('Escape'), does: t('Closes dialogs and menus') },
  ],
};

/** Lists the keyboard shortcuts of the page in its current state. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const groups = [...usePageKeys(), EVERYWHERE];
  return (
    <Dialog isOpen={isOpen} title={t('Shortcuts of this page')} onClose={onClose} icon={null} className="rs-keys">
      <DialogBody>
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl className="rs-key-list">
              {keys.map((one) => (
                <div key={one.keys}>
                  <dt>
                    {one.keys.split(', ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{one.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  );
}
