import { Cross, Tick } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ownRights, type OwnRight, type OwnRightsQuery } from '#shared/contract/own-rights.ts';
import type { RightName } from '#shared/contract/rights.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState } from '#renderer/ui/states.tsx';
import { rightReason, rightWords } from './right-reason.ts';

const reasonOf = (item: OwnRight, items: readonly OwnRight[]): string =>
  rightReason(item, (right) => rightWords(items.find(({ Right }) => Right === right)?.Description ?? right));

/** Replaces content for which the user lacks a right. Names the right and explains why they do not hold it. */
export function NotAllowed({ right, of = {} }: { right: RightName; of?: OwnRightsQuery }) {
  return (
    <EmptyState title={NO_PERMISSION}>
      <WhyNot right={right} of={of} />
    </EmptyState>
  );
}

/** Renders nothing if the user holds the right or it cannot be determined. */
export function WhyNot({ right, of = {} }: { right: RightName; of?: OwnRightsQuery }) {
  const { data } = useQuery(queryOf(ownRights, { query: of }));
  const item = data?.Items.find(({ Right }) => Right === right);
  if (!item || item.Access) return null;
  return (
    <span className="rs-why-not">
      {t('This requires the right to {right}.', { right: rightWords(item.Description) })}{' '}
      {reasonOf(item, data?.Items ?? [])} {t('Anyone who manages rights can grant it to you.')}
    </span>
  );
}

interface OwnRightsCardProps {
  of: OwnRightsQuery;
  isInitiallyOpen?: boolean;
}

/** What the user may do with an activity, and why. Fetched when the card is expanded. */
export function OwnRightsCard({ of, isInitiallyOpen = false }: OwnRightsCardProps) {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  return (
    <Card>
      <details open={isInitiallyOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('What you may do, and why')}</summary>
        {isOpen && <List of={of} />}
      </details>
    </Card>
  );
}

function List({ of }: { of: OwnRightsQuery }) {
  const { data, error, refetch } = useQuery(queryOf(ownRights, { query: of }));
  if (error && !data) return <FailureState error={error} onRetry={() => void refetch()} />;
  return (
    <ul className="rs-plain-list rs-own-rights" aria-label={t('What you may do, and why')}>
      {data?.Items.map((item) => (
        <li key={item.Right}>
          {item.Access ? <Tick title={t('Yes')} /> : <Cross title={t('No')} />}
          <span>
            {said(item.Description)}
            <span className="rs-muted">{reasonOf(item, data.Items)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
