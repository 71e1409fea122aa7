import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { accessRequests, type AccessRequest } from '#shared/contract/access-requests.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, pagesInterval } from '#renderer/api/queries.ts';
import { TechnicalName } from '#renderer/features/security/TechnicalName.tsx';
import { plainRight } from '#renderer/features/security/right-name.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { PagedItems } from '#renderer/ui/PagedItems.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { DecideButtons } from './DecideButtons.tsx';
import './access.css';

const INTERVAL = 30_000;

/** /accessRequests: requests for access that the user may decide. */
export function AccessRequestsPage() {
  const query = useInfiniteQuery({
    queryKey: keyOf(accessRequests),
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => call(accessRequests, { query: { Before: pageParam }, signal, polls: true }),
    getNextPageParam: (page) => (page.HasMore ? page.Items.at(-1)?.Id : undefined),
    refetchInterval: pagesInterval(INTERVAL),
  });
  const empty = (
    <EmptyState title={t('Nobody is waiting for access')}>
      {t('When somebody asks for access to an activity that you may share, you decide here or under the bell above.')}
    </EmptyState>
  );
  return (
    <Page
      title={t('Access requests')}
      description={t('People are not notified if you decline, because that would reveal that the page exists.')}
    >
      <PagedItems query={query} label={t('Access requests')} className="rs-access-requests" empty={empty}>
        {(item) => <Request key={item.Id} item={item} />}
      </PagedItems>
    </Page>
  );
}

function Request({ item }: { item: AccessRequest }) {
  const { Id, UserName, UserFullName, Email, ActivityId, ActivityName, ActivityRunId, Message, Time, Rights } = item;
  const values = {
    name: <strong>{UserFullName}</strong>,
    activity: <Link to={`/activities/${ActivityId}/`}>{ActivityName}</Link>,
    id: ActivityRunId ?? 0,
  };
  return (
    <li>
      <div className="rs-access-request">
        <span>
          {ActivityRunId === null
            ? rich('{name} asks for access to {activity}', values)
            : rich('{name} asks for access to run {id} of {activity}', values)}
        </span>
        <span className="rs-muted">
          {[UserName, Email].filter((part) => part !== '').join(' · ')} · <DateText value={Time} as="relative" />
        </span>
        {Message !== '' && <p className="rs-access-note">{Message}</p>}
        <span className="rs-muted">
          {t('Grants for this activity:')}{' '}
          {Rights.map((right, index) => (
            <span key={right}>
              {index > 0 && ', '}
              <TechnicalName plain={plainRight(right)} technical={right} />
            </span>
          ))}
        </span>
      </div>
      <DecideButtons requestId={Id} who={UserFullName} />
    </li>
  );
}
