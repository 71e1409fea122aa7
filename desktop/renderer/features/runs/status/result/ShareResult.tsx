import { Button, PopoverNext } from '@blueprintjs/core';
import { Link, Share } from '@blueprintjs/icons';
import { useState } from 'react';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { useMayShare } from '#renderer/features/activities/share/use-may-share.ts';
import { copyDocumentLink } from '#renderer/ui/values/copy-document-link.ts';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { MenuEntries, type MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';

const ShareDialog = lazyPart(
  async () => (await import('#renderer/features/activities/share/ShareDialog.tsx')).ShareDialog,
);

/** Copies links to the run and its files, and gives others access to the activity. */
export function ShareResult({ run }: { run: ActivityRun }) {
  const [isSharing, setSharing] = useState(false);
  const canShare = useMayShare(run.CanEdit);
  const entries: MenuEntry[] = [
    { text: t('Copy the link to this run'), icon: <Link />, onSelect: () => void copyRunLink(run.Id) },
    ...run.StoredFiles.map(({ FileName: name, DocumentId }) => ({
      text: t('Copy the link to {name}', { name }),
      icon: <Link />,
      onSelect: () => void copyDocumentLink(DocumentId),
    })),
  ];
  if (canShare)
    entries.push({
      text: t('Share {name}', { name: run.Name }),
      icon: <Share />,
      onSelect: () => setSharing(true),
    });
  return (
    <>
      <PopoverNext placement="bottom-end" content={<MenuEntries entries={entries} />}>
        <Button size="small" icon={<Share />} text={t('Share')} aria-haspopup="menu" />
      </PopoverNext>
      {isSharing && <ShareDialog id={run.ActivityId} name={run.Name} onClose={() => setSharing(false)} />}
    </>
  );
}

async function copyRunLink(runId: number): Promise<void> {
  if (await bridge.copyText(bridge.sharedAddress(`activities/runstatus/${runId}/`)))
    showMessage(t('Link copied. Anyone who may see this run can open it.'));
  else showError(t('The link could not be copied'));
}
