import { Button, Callout, Tag } from '@blueprintjs/core';
import { Repeat } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FAILURES_MAX, groupFailures, type FailureGroup, type FailureGroups } from '#shared/contract/run-failures.ts';
import type { HistorySearch } from '#shared/contract/run-history.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { listText, numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { RetryDialog } from './RetryDialog.tsx';

interface FailureReasonsProps {
  search: HistorySearch;
  /** Shows the runs of a reason. */
  onShow: (key: string) => void;
}

/** The failed runs that the search finds, grouped by reason, the most frequent first. */
export function FailureReasons({ search, onShow }: FailureReasonsProps) {
  // The order of the runs does not change the groups.
  const { Sort: _, ...body } = search;
  const [retried, setRetried] = useState<FailureGroup | null>(null);
  const query = useQuery({
    ...keepPrevious,
    queryKey: [...keyOf(groupFailures), body],
    // Refreshes by events are no use of the session.
    queryFn: ({ signal, client, queryKey }) =>
      call(groupFailures, { body, signal, polls: client.getQueryData(queryKey) !== undefined }),
  });
  if (query.data === undefined) {
    return query.error ? (
      <FailureState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton kind="grid" />
    );
  }
  const { Groups } = query.data;
  return (
    <>
      <p className="rs-muted" role="status">
        {summaryText(query.data)}
      </p>
      {Groups.length === 0 ? (
        <EmptyState title={t('No failed runs match the search')} />
      ) : (
        <ol className="rs-reasons" aria-label={t('Failures by reason')}>
          {Groups.map((group) => (
            <Reason key={group.Key} group={group} onShow={onShow} onRetry={setRetried} />
          ))}
        </ol>
      )}
      {query.data.IsPartial && (
        <Callout compact>
          {t('Only the newest {most} failures are grouped. Choose a shorter period to see older ones.', {
            most: numberText(FAILURES_MAX),
          })}
        </Callout>
      )}
      {retried && (
        <RetryDialog
          wanted={{ Search: { ...body, Reason: retried.Key } }}
          onClose={() => {
            setRetried(null);
            void query.refetch();
          }}
        />
      )}
    </>
  );
}

function summaryText({ Failures, Reasons, Groups }: FailureGroups): string {
  if (Failures === 0) return '';
  const all = t(
    '{failures, plural, one {1 failure} other {# failures}}, {reasons, plural, one {1 reason} other {# reasons}}',
    { failures: Failures, reasons: Reasons },
  );
  return Groups.length < Reasons
    ? `${all} · ${t('the {count} most frequent are shown', { count: numberText(Groups.length) })}`
    : all;
}

interface ReasonProps {
  group: FailureGroup;
  onShow: (key: string) => void;
  onRetry: (group: FailureGroup) => void;
}

function Reason({ group, onShow, onRetry }: ReasonProps) {
  const { Key, Status, Text, IsVaried, Count, NotRetried, FirstTime, LastTime } = group;
  const text = said(Text) || t('No error was logged');
  const isOnce = FirstTime === LastTime;
  return (
    <li className="rs-reason">
      <Tag className="rs-reason-count" size="large" minimal intent="danger" title={t('Failures of this reason')}>
        {numberText(Count)}
      </Tag>
      <div className="rs-reason-text">
        <strong dir="auto">{text}</strong>
        {IsVaried && <span className="rs-muted"> {t('and similar')}</span>}
        <div className="rs-reason-facts">
          <StatusTag status={Status} />
          <span dir="auto">{activitiesText(group)}</span>
          <span className="rs-muted">
            {!isOnce && (
              <>
                <DateText value={FirstTime} /> –{' '}
              </>
            )}
            <DateText value={LastTime} />
          </span>
          {NotRetried < Count && (
            <span className="rs-muted">{t('{count} already retried', { count: numberText(Count - NotRetried) })}</span>
          )}
        </div>
      </div>
      <div className="rs-reason-actions">
        <Button
          text={t('Show runs')}
          aria-label={t('Show the runs of this reason: {text}', { text })}
          onClick={() => onShow(Key)}
        />
        <Button
          icon={<Repeat />}
          text={t('Retry all of this reason')}
          aria-label={t('Retry all of this reason: {text}', { text })}
          disabled={NotRetried === 0}
          title={NotRetried === 0 ? t('All of them have been retried') : undefined}
          onClick={() => onRetry(group)}
        />
      </div>
    </li>
  );
}

function activitiesText({ Activities, ActivityCount }: FailureGroup): string {
  const names = Activities.map(({ Name }) => Name);
  const more = ActivityCount - names.length;
  return listText(more > 0 ? [...names, t('{more} more', { more: numberText(more) })] : names);
}
