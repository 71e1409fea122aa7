import { useParams } from 'react-router-dom';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { OwnRightsCard } from '#renderer/features/rights/OwnRights.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { RunnersCard } from '../home/RunnersCard.tsx';
import { ShareButton } from '../share/ShareButton.tsx';
import { useMayShare } from '../share/use-may-share.ts';
import { useActivityItem } from '../use-activities.ts';

/** /activities/access/{id}: who may do what with an activity, and why. */
export function ActivityAccessPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <Access key={id} id={id} /> : <NotFoundPage />;
}

function Access({ id }: { id: number }) {
  const item = useActivityItem(id);
  const canShare = useMayShare(item?.CanEdit === true);
  return (
    <Page title={t('Access')} actions={canShare && <ShareButton id={id} name={item?.Name ?? ''} />} narrow>
      <RunnersCard activityId={id} />
      <OwnRightsCard of={{ ActivityId: id }} isInitiallyOpen />
    </Page>
  );
}
