import { Button } from '@blueprintjs/core';
import { Share } from '@blueprintjs/icons';
import { useState } from 'react';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

const ShareDialog = lazyPart(async () => (await import('./ShareDialog.tsx')).ShareDialog);

/** For users who may share the activity. */
export function ShareButton({ id, name }: { id: number; name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Share title={false} />} text={t('Share')} onClick={() => setOpen(true)} />
      {isOpen && <ShareDialog id={id} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
