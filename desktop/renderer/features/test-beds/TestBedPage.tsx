import { Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { testBed } from '#shared/contract/test-beds.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { AccessFailure } from '#renderer/features/access/AccessFailure.tsx';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { BedSettings } from './BedSettings.tsx';
import { CaseList } from './CaseList.tsx';
import { RefusedVersions } from './RefusedVersions.tsx';
import './test-beds.css';

/** /activities/testbed/{id} */
export function TestBedPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <Bed key={id} id={id} /> : <NotFoundPage />;
}

function Bed({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(queryOf(testBed, { params: { id } }));
  if (!data) {
    return (
      <Page title={t('Test cases')}>
        {error ? (
          <AccessFailure kind="Activity" id={id} error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton kind="grid" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={t('Test cases - {activityName}', { activityName: data.ActivityName })}
      description={t(
        'Inputs with their expected outputs. The portal replays them with each new workbook before it is published.',
      )}
      actions={<LinkButton to={`/activities/${id}`} text={t('Activity')} />}
    >
      {data.Obstacle !== null && <Callout intent="warning">{data.Obstacle}</Callout>}
      <RefusedVersions refused={data.Refused} canEdit={data.CanEdit} onChange={refetch} />
      <Card title={t('Cases')}>
        <CaseList id={id} bed={data} onChange={refetch} />
      </Card>
      <Card title={t('Rules')}>
        <BedSettings key={id} id={id} bed={data} onSaved={() => void refetch()} />
      </Card>
    </Page>
  );
}
