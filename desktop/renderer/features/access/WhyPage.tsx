import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { accessReasons, reasonActivities, reasonPeople } from '#shared/contract/access-reasons.ts';
import { keepPrevious, queryOf } from '#renderer/api/queries.ts';
import { useRight } from '#renderer/app/profile.ts';
import { HolderName } from '#renderer/features/activities/share/HolderName.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { useAddressValues } from '#renderer/ui/use-address-values.ts';
import { Chooser, type FoundProps } from './Chooser.tsx';
import { WhyResult } from './WhyResult.tsx';
import './access.css';

/** /accessReasons?user=…&activity=…: why a person can or cannot do something with an activity. */
export function WhyPage() {
  const [values, change] = useAddressValues();
  const userId = idOf(values.get('user'));
  const activityId = idOf(values.get('activity'));
  const set = (name: 'user' | 'activity', id: number | null): void =>
    change((present) => {
      if (id === null) present.delete(name);
      else present.set(name, String(id));
      return present;
    });
  const isComplete = userId !== null && activityId !== null;
  const query = useQuery({
    ...queryOf(accessReasons, { params: { userId: userId ?? 1, activityId: activityId ?? 1 } }),
    enabled: isComplete,
  });
  const about = isComplete ? query.data : undefined;
  const names = useNames(userId, activityId);
  const isAuditor = useRight('sk.ViewSecurityMatrix') === true;
  return (
    <Page
      title={t('Check access')}
      description={t(
        'Choose a person and an activity. The reasons follow, with the one change that would reverse each.',
      )}
    >
      <Card className="rs-why-choices">
        <Chooser
          title={t('Person')}
          label={t('Search people')}
          chosen={userId === null ? null : (about?.UserFullName ?? names.person ?? t('User {id}', { id: userId }))}
          onChange={(id) => set('user', id)}
          Found={FoundPeople}
          more={userId !== null && isAuditor && <LinkButton to={`/seeas/${userId}/`} size="small" text={t('See as')} />}
        />
        <Chooser
          title={t('Activity')}
          label={t('Search activities')}
          chosen={
            activityId === null
              ? null
              : (about?.ActivityName ?? names.activity ?? t('Activity {id}', { id: activityId }))
          }
          onChange={(id) => set('activity', id)}
          Found={FoundActivities}
        />
      </Card>
      {isComplete && (
        <QueryStates query={query} kind="form">
          {(data) => <WhyResult about={data} />}
        </QueryStates>
      )}
    </Page>
  );
}

const idOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

/** The name of what the address names, also before both are chosen; null while it is not known. */
function useNames(userId: number | null, activityId: number | null) {
  const person = useQuery({ ...queryOf(reasonPeople, { query: { Id: userId ?? 1 } }), enabled: userId !== null });
  const activity = useQuery({
    ...queryOf(reasonActivities, { query: { Id: activityId ?? 1 } }),
    enabled: activityId !== null,
  });
  return { person: person.data?.Items[0]?.Name ?? null, activity: activity.data?.Items[0]?.Name ?? null };
}

function FoundPeople({ search, choose }: FoundProps) {
  const query = useQuery({ ...queryOf(reasonPeople, { query: { Search: search } }), ...keepPrevious });
  return (
    <QueryStates query={query} kind="form">
      {({ Items, HasMore }) => (
        <FoundList nothing={t('Nobody found')} hasMore={HasMore}>
          {Items.map((holder) => (
            <li key={holder.UserId}>
              <Button variant="minimal" alignText="start" fill onClick={() => choose(holder.UserId ?? 0)}>
                <HolderName holder={holder} />
              </Button>
            </li>
          ))}
        </FoundList>
      )}
    </QueryStates>
  );
}

function FoundActivities({ search, choose }: FoundProps) {
  const query = useQuery({ ...queryOf(reasonActivities, { query: { Search: search } }), ...keepPrevious });
  return (
    <QueryStates query={query} kind="form">
      {({ Items, HasMore }) => (
        <FoundList nothing={t('No activity found')} hasMore={HasMore}>
          {Items.map(({ Id, Name, Schema }) => (
            <li key={Id}>
              <Button variant="minimal" alignText="start" fill onClick={() => choose(Id)}>
                {Name} <span className="rs-muted">{Schema}</span>
              </Button>
            </li>
          ))}
        </FoundList>
      )}
    </QueryStates>
  );
}

interface FoundListProps {
  /** Shown if there are no items. */
  nothing: string;
  hasMore: boolean;
  children: ReactElement[];
}

function FoundList({ nothing, hasMore, children }: FoundListProps) {
  if (children.length === 0) return <p role="status">{nothing}</p>;
  return (
    <>
      <ul className="rs-plain-list" aria-label={t('Found')}>
        {children}
      </ul>
      {hasMore && <p className="rs-muted">{t('There are more. Type more of the name to find them.')}</p>}
    </>
  );
}
