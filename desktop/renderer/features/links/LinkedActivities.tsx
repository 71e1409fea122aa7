import { Button } from '@blueprintjs/core';
import { Document, History, Link as LinkIcon } from '@blueprintjs/icons';
import { useState } from 'react';
import type { ActivityLink } from '#shared/contract/activities.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { TitleMenu, type MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import type { ChosenRows } from './chosen-rows.ts';
import { useFollowLink } from './use-follow-link.ts';
import './links.css';

/** The linked activities that can take the outputs of an ended run. */
export function LinkedActivities({ run, chosen }: { run: ActivityRun; chosen: ChosenRows }) {
  const [following, setFollowing] = useState<number | null>(null);
  const { follow, question, answer } = useFollowLink(run, chosen, setFollowing);
  if (run.ActivityLinks.length === 0) return null;
  return (
    <section className="rs-links" aria-label={t('Linked activities')}>
      {run.ActivityLinks.map((link) => (
        <div key={link.Id} className="rs-link">
          <Button
            icon={<LinkIcon />}
            text={link.Name}
            title={t('Run {linkedActivityName} with the outputs of this run', {
              linkedActivityName: link.LinkedActivityName,
            })}
            loading={following === link.Id}
            disabled={following !== null}
            onClick={() => follow(link)}
          />
          <TitleMenu label={t('Runs of {name}', { name: link.Name })} entries={entriesOf(link)} />
          {link.LastRun && (
            <span className="rs-link-last">
              <StatusTag status={link.LastRun.Status} /> <DateText value={link.LastRun.QueueTime} as="relative" />
            </span>
          )}
        </div>
      ))}
      <ConfirmDialog
        isOpen={question !== null}
        title={t('No rows selected')}
        confirmText={t('YES')}
        cancelText={t('NO')}
        onCancel={() => answer(false)}
        onConfirm={() => answer(true)}
      >
        {t('No rows selected in {question}. Proceed?', { question })}
      </ConfirmDialog>
    </section>
  );
}

function entriesOf({ Id, LinkedActivityId, LastRun }: ActivityLink): MenuEntry[] {
  const all = {
    text: t('View all linked runs'),
    icon: <History />,
    to: `/activities/runhistory/${LinkedActivityId}/${Id}`,
  };
  if (!LastRun) return [all];
  return [{ text: t('View last linked run'), icon: <Document />, to: `/activities/runstatus/${LastRun.Id}/` }, all];
}
