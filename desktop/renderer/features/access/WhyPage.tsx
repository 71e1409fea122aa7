import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { accessReasons, reasonPeople, seenActivities } from '#shared/contract/access-reasons.ts';
import { keepPrevious, queryOf } from '#renderer/api/queries.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { HolderName } from '#renderer/features/activities/share/HolderName.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
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
  return (
    <Page
      title={t("Why can or can't somebody …?")}
      description={t(
        'Choose a person and an activity. The reasons follow, with the one change that would reverse each.',
      )}
    >
      <Card className="rs-why-choices">
        <Chooser
          title={t('Person')}
          label={t('Search people')}
          chosen={userId === null ? null : (about?.UserFullName ?? t('User {id}', { id: userId }))}
          onChange={(id) => set('user', id)}
          Found={FoundPeople}
        />
        <Chooser
          title={t('Activity')}
          label={t('Search activities')}
          chosen={activityId === null ? null : (about?.ActivityName ?? t('Activity {id}', { id: activityId }))}
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

function FoundPeople({ search, choose }: FoundProps) {
  const query = useQuery({ ...queryOf(reasonPeople, { query: { Search: search } }), ...keepPrevious });
  return (
    <QueryStates query={query} kind="form">
      {({ Items }) =>
        Items.length === 0 ? (
          <p role="status">{t('Nobody found')}</p>
        ) : (
          <ul className="rs-plain-list" aria-label={t('Found')}>
            {Items.map((holder) => (
              <li key={holder.UserId}>
                <Button variant="minimal" alignText="start" fill onClick={() => choose(holder.UserId ?? 0)}>
                  <HolderName holder={holder} />
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </QueryStates>
  );
}

/** Offers the activities that the user sees. */
function FoundActivities({ search, choose }: FoundProps) {
  const userId = useProfile()?.UserId ?? 0;
  const query = useQuery({
    ...queryOf(seenActivities, { params: { userId }, query: { Search: search } }),
    ...keepPrevious,
    enabled: userId > 0,
  });
  return (
    <QueryStates query={query} kind="form">
      {({ Items }) =>
        Items.length === 0 ? (
          <p role="status">{t('No activity found')}</p>
        ) : (
          <ul className="rs-plain-list" aria-label={t('Found')}>
            {Items.slice(0, 8).map(({ Id, Name, Schema }) => (
              <li key={Id}>
                <Button variant="minimal" alignText="start" fill onClick={() => choose(Id)}>
                  {Name} <span className="rs-muted">{Schema}</span>
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </QueryStates>
  );
}
