import { Button } from '@blueprintjs/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import { approvals, type ApprovalItem } from '#shared/contract/approvals.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, pagesInterval } from '#renderer/api/queries.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { PagedItems } from '#renderer/ui/PagedItems.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { ApprovalOutcomeTag } from './ApprovalOutcomeTag.tsx';
import './approvals.css';

type Show = 'waiting' | 'decided';

const CHOICES: readonly { value: Show; text: string }[] = [
  { value: 'waiting', text: t('Waiting for me') },
  { value: 'decided', text: t('Decided by me') },
];

const INTERVAL = 30_000;

/** /approvals: what waits for the user's decision, and what they have decided. */
export function ApprovalsPage() {
  const [params, setParams] = useSearchParams();
  const show: Show = params.get('show') === 'decided' ? 'decided' : 'waiting';
  return (
    <Page title={t('Approvals')}>
      <div className="rs-approvals-which" role="group" aria-label={t('Which approvals')}>
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
    refetchInterval: pagesInterval(INTERVAL),
  });
  const empty =
    show === 'waiting' ? (
      <EmptyState
        title={t('Nothing is waiting for your approval')}
        action={<LinkButton to="/activities/" text={t('Go to the activities')} />}
      >
        {t('Workflow steps that need your approval appear here and under the bell above.')}
      </EmptyState>
    ) : (
      <EmptyState title={t('You have not decided anything yet')}>
        {t('What you approve or reject is listed here.')}
      </EmptyState>
    );
  return (
    <PagedItems query={query} label={t('Approvals')} className="rs-approvals" empty={empty}>
      {(item) => <ApprovalEntry key={item.Id} item={item} />}
    </PagedItems>
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
          {rich('{checklistName}, started by {starterFullName}, {startTime}', {
            checklistName: ChecklistName,
            starterFullName: StarterFullName,
            startTime: <DateText value={StartTime} as="relative" />,
          })}
        </span>
        {Own !== null && (
          <span>
            {rich(Own.Approved ? 'You approved, {time}' : 'You rejected, {time}', {
              time: <DateText value={Own.Time} as="relative" />,
            })}
            {Own.Comment !== '' && `: ${Own.Comment}`}
          </span>
        )}
      </div>
      <div className="rs-approval-state">
        <ApprovalOutcomeTag outcome={Outcome} />
        {Outcome === 'Open' && (
          <span className="rs-muted">
            {Needed > 1 && t('{given} of {needed} approved ', { given: Given, needed: Needed })}
            {ExpiryTime !== null && <>{rich('until {expiryTime}', { expiryTime: <DateText value={ExpiryTime} /> })}</>}
          </span>
        )}
      </div>
    </li>
  );
}
