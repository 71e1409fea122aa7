import { Button } from '@blueprintjs/core';
import { Share } from '@blueprintjs/icons';
import { useState } from 'react';
import { useRight } from '#renderer/app/profile.ts';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

const ShareDialog = lazyPart(async () => (await import('./ShareDialog.tsx')).ShareDialog);

/** Button for users who manage rights; renders nothing for others. */
export function ShareButton({ id, name }: { id: number; name: string }) {
  const [isOpen, setOpen] = useState(false);
  if (useRight('sk.ManageRights') !== true) return null;
  return (
    <>
      <Button icon={<Share title={false} />} text={t('Share')} onClick={() => setOpen(true)} />
      {isOpen && <ShareDialog id={id} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
