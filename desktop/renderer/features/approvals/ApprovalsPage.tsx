import { Button } from '@blueprintjs/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import { approvals, type ApprovalItem } from '#shared/contract/approvals.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { ApprovalOutcomeTag } from './ApprovalOutcomeTag.tsx';
import './approvals.css';

type Show = 'waiting' | 'decided';

const CHOICES: readonly { value: Show; text: string }[] = [
  { value: 'waiting', text: 'Waiting for me' },
  { value: 'decided', text: 'Decided by me' },
];

const INTERVAL = 30_000;

/** /approvals: what waits for the person, and what they have decided. */
export function ApprovalsPage() {
  const [params, setParams] = useSearchParams();
  const show: Show = params.get('show') === 'decided' ? 'decided' : 'waiting';
  return (
    <Page title="Approvals">
      <div className="rs-approvals-which" role="group" aria-label="Which approvals">
        {CHOICES.map(({ value, text }) => (
          <Button
            key={value}
            text={text}
            active={show === value}
            aria-pressed={show === value}
            onClick={() => setParams(value === 'decided' ? { show: value } : {}, { replace: true })}
          />
        ))}
      </div>
      <ApprovalList key={show} show={show} />
    </Page>
  );
}

function ApprovalList({ show }: { show: Show }) {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(approvals), show],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(approvals, { query: { Show: show, Before: pageParam }, signal, polls: true }),
    getNextPageParam: (page) => (page.HasMore ? page.Items.at(-1)?.Id : undefined),
    refetchInterval: INTERVAL,
  });
  if (!query.data) {
    return query.error ? (
      <FailureState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton kind="grid" />
    );
  }
  const items = query.data.pages.flatMap(({ Items }) => Items);
  if (items.length === 0) {
    return show === 'waiting' ? (
      <EmptyState
        title="Nothing waits for your approval"
        action={<LinkButton to="/activities/" text="To the activities" />}
      >
        A step of a workflow that asks for you appears here, and in the bell above.
      </EmptyState>
    ) : (
      <EmptyState title="You have not decided anything yet">What you approve or reject is listed here.</EmptyState>
    );
  }
  return (
    <Card>
      <ul className="rs-plain-list rs-approvals" aria-label="Approvals">
        {items.map((item) => (
          <ApprovalEntry key={item.Id} item={item} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button text="Load More" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} />
      )}
    </Card>
  );
}

function ApprovalEntry({ item }: { item: ApprovalItem }) {
  const { Id, Name, ChecklistName, StarterFullName, StartTime, ExpiryTime, Outcome, Needed, Given, Own } = item;
  return (
    <li>
      <div className="rs-approval-name">
        <Link to={`/approvals/${Id}`}>
          <strong>{Name}</strong>
        </Link>
        <span className="rs-muted">
          {ChecklistName}, started by {StarterFullName}, <DateText value={StartTime} as="relative" />
        </span>
        {Own !== null && (
          <span>
            You {Own.Approved ? 'approved' : 'rejected'}, <DateText value={Own.Time} as="relative" />
            {Own.Comment !== '' && `: ${Own.Comment}`}
          </span>
        )}
      </div>
      <div className="rs-approval-state">
        <ApprovalOutcomeTag outcome={Outcome} />
        {Outcome === 'Open' && (
          <span className="rs-muted">
            {Needed > 1 && `${Given} of ${Needed} approved `}
            {ExpiryTime !== null && (
              <>
                until <DateText value={ExpiryTime} />
              </>
            )}
          </span>
        )}
      </div>
    </li>
  );
}
