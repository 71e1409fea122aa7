import { Dialog, DialogBody } from '@blueprintjs/core';
import './palette.css';
import { usePageKeys, type KeyGroup } from '#renderer/ui/page-keys.ts';

const EVERYWHERE: KeyGroup = {
  title: 'Everywhere',
  keys: [
    { keys: 'Ctrl+K', does: 'Go to an activity, page or run' },
    { keys: '?', does: 'These keys' },
    { keys: 'Tab, Shift+Tab', does: 'The next and the previous control' },
    { keys: 'Escape', does: 'Closes what lies over the page' },
  ],
};

/** The keys that do something on the page as it is. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const groups = [...usePageKeys(), EVERYWHERE];
  return (
    <Dialog isOpen={isOpen} title="Keys of this page" onClose={onClose} icon={null} className="rs-keys">
      <DialogBody>
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl className="rs-key-list">
              {keys.map((one) => (
                <div key={one.keys}>
                  <dt>
                    <kbd>{one.keys}</kbd>
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
