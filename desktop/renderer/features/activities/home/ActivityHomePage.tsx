import { Tag } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { activityHome, type ActivityHome } from '#shared/contract/activity-home.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { useIsProfileLoading } from '#renderer/app/profile.ts';
import { AlertsCard } from '#renderer/features/alerts/AlertsCard.tsx';
import { OwnRightsCard } from '#renderer/features/rights/OwnRights.tsx';
import { TriggersCard } from '#renderer/features/triggers/TriggersCard.tsx';
import { AccessFailure } from '#renderer/features/access/AccessFailure.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { useLoadingTimeout } from '#renderer/ui/use-loading-timeout.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { activityMenu } from '../activity-menu.tsx';
import { LinkedCard, NextRunCard, ParametersCard, UsedByCard } from './RelatedCards.tsx';
import { RunnersCard } from './RunnersCard.tsx';
import { RunsCard } from './RunsCard.tsx';
import { VersionsCard } from './VersionsCard.tsx';
import './home.css';

/** Maximum time in milliseconds that the page waits for the user's rights. After that, it shows what it has. */
const PROFILE_MS = 3000;

/** Overview page of an activity. */
export function ActivityHomePage() {
  const text = useParams()['id'] ?? '';
  return /^[1-9]\d{0,9}$/.test(text) ? <Home key={text} id={Number(text)} /> : <NotFoundPage />;
}

function Home({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(queryOf(activityHome, { params: { id } }));
  // Wait for the rights: users who may share the activity get an extra button, which would move the others.
  const isProfileLoading = useLoadingTimeout(useIsProfileLoading(), PROFILE_MS);
  if (!data || isProfileLoading) {
    return (
      <Page title={error ? t('Activity') : ''}>
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
      title={data.Name}
      menu={activityMenu({ ...data, LastRunId: data.Runs[0]?.Id ?? null })}
      description={<PurposeAndGroup home={data} />}
      actions={data.CanShare && <ShareButton id={id} name={data.Name} />}
    >
      <div className="rs-home">
        <div>
          <RunsCard home={data} />
          <VersionsCard home={data} />
        </div>
        <div>
          <ParametersCard home={data} />
          <NextRunCard home={data} />
          <LinkedCard home={data} />
          <UsedByCard home={data} />
          {data.CanEdit && <AlertsCard owner={{ kind: 'activities', id }} />}
          {data.CanEdit && <TriggersCard kind="activities" id={id} />}
          <RunnersCard activityId={id} />
          <OwnRightsCard of={{ ActivityId: id }} />
        </div>
      </div>
    </Page>
  );
}

/** The purpose of the activity and where it belongs. The header above the page says its schema, and if it is inactive. */
function PurposeAndGroup({ home }: { home: ActivityHome }) {
  const { Description, Group, Function: purpose, ProcedureName } = home;
  return (
    <>
      {Description !== '' && <p className="rs-home-description">{Description}</p>}
      <span className="rs-home-place">
        {[Group, purpose]
          .filter((part) => part !== '')
          .map((part, index) => (
            <Tag key={index} minimal>
              {part}
            </Tag>
          ))}
        {ProcedureName !== null && <span>{ProcedureName}</span>}
      </span>
    </>
  );
}
