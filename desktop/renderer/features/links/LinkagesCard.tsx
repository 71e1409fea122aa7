import { Button } from '@blueprintjs/core';
import { Add, Edit, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import { activityDetails, type Activity, type ActivityLink } from '#shared/contract/activities.ts';
import { deleteLink } from '#shared/contract/links.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import './links.css';

/** Card on the page of an activity: the links that pass on the outputs of its runs. */
export function LinkagesCard({ activity }: { activity: Activity }) {
  const [links, setLinks] = useState(activity.ActivityLinks);
  const [asked, setAsked] = useState<ActivityLink | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const remove = async (link: ActivityLink): Promise<void> => {
    const { Id, Name, ActivityId, LinkedActivityId, LinkedActivityName, LinkInfo } = link;
    setDeleting(true);
    try {
      await call(deleteLink, {
        body: { Id, Name, ActivityId, LinkedActivityId, LinkedActivityName, LinkInfo },
      });
      setLinks((before) => before.filter((other) => other.Id !== Id));
      showSuccess(t('Linkage Deleted'));
      setAsked(null);
      void queryClient.invalidateQueries({ queryKey: keyOf(activityDetails) });
    } catch (error) {
      showError(toFailure(error).message || t('Error while deleting'));
    } finally {
      setDeleting(false);
    }
  };
  return (
    <Card title={t('Linkages')}>
      {links.length === 0 && <p className="rs-muted">{t('No other activity uses the outputs of its runs.')}</p>}
      {links.length > 0 && (
        <ul className="rs-link-list">
          {links.map((link) => (
            <li key={link.Id}>
              <span className="rs-link-name">
                {link.Name}{' '}
                <span className="rs-muted">
                  {t('to {linkedActivityName}', { linkedActivityName: link.LinkedActivityName })}
                </span>
              </span>
              <LinkButton
                size="small"
                icon={<Edit />}
                text={t('Edit')}
                aria-label={t('Edit linkage {name}', { name: link.Name })}
                to={`/activities/linkage/edit/${link.Id}`}
              />
              <Button
                size="small"
                icon={<Trash />}
                text={t('Delete')}
                aria-label={t('Delete linkage {name}', { name: link.Name })}
                onClick={() => setAsked(link)}
              />
            </li>
          ))}
        </ul>
      )}
      <LinkButton
        icon={<Add />}
        text={t('ADD')}
        aria-label={t('ADD a linkage')}
        to={`/activities/linkage/new/${activity.Id}`}
      />
      <ConfirmDialog
        isOpen={asked !== null}
        title={t('Warning')}
        confirmText={t('Confirm')}
        intent="danger"
        isBusy={isDeleting}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked && void remove(asked)}
      >
        <p>{t('Delete this linkage?')}</p>
        <strong>{asked?.Name}</strong>
      </ConfirmDialog>
    </Card>
  );
}
