import { Button } from '@blueprintjs/core';
import { Share } from '@blueprintjs/icons';
import { useState } from 'react';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

const ShareDialog = lazyPart(async () => (await import('./ShareDialog.tsx')).ShareDialog);

/** For users who may share the activity. */
export function ShareButton({ id, name, text = t('Share') }: { id: number; name: string; text?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Share title={false} />} text={text} onClick={() => setOpen(true)} />
      {isOpen && <ShareDialog id={id} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
