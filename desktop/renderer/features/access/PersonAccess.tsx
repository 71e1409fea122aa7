import { Search as SearchIcon } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { seenActivities, type ReasonActivity } from '#shared/contract/access-reasons.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { useRight } from '#renderer/app/profile.ts';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { PagedItems } from '#renderer/ui/PagedItems.tsx';
import './access.css';

/**
 * Shows the activities as a person sees them, with a link to the reasons of each. Only for users who see the security
 * matrix. Fetched when it is expanded.
 */
export function PersonAccess({ userId, name }: { userId: number; name: string }) {
  const [isOpen, setOpen] = useState(false);
  if (useRight('sk.ViewSecurityMatrix') !== true) return null;
  return (
    <Card title={t('Access')} className="rs-person-access">
      <LinkButton
        to={`/accessReasons?user=${userId}`}
        icon={<SearchIcon />}
        text={t("Why can or can't {name} …?", { name })}
      />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('See the activities as {name} does', { name })}</summary>
        {isOpen && <Seen userId={userId} name={name} />}
      </details>
    </Card>
  );
}

function Seen({ userId, name }: { userId: number; name: string }) {
  const [search, setSearch] = useState('');
  const query = useInfiniteQuery({
    ...keepPrevious,
    queryKey: [...keyOf(seenActivities), userId, search],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call(seenActivities, { params: { userId }, query: { Search: search, Skip: pageParam }, signal }),
    getNextPageParam: (page, pages) =>
      page.HasMore ? pages.reduce((count, { Items }) => count + Items.length, 0) : undefined,
  });
  return (
    <>
      <SearchField label={t('Search activities')} value={search} onChange={setSearch} />
      <PagedItems
        query={query}
        label={t('Activities that {name} sees', { name })}
        className="rs-seen"
        empty={<p role="status">{t('{name} sees no such activity.', { name })}</p>}
      >
        {(item) => <SeenActivity key={item.Id} userId={userId} item={item} />}
      </PagedItems>
    </>
  );
}

function SeenActivity({ userId, item }: { userId: number; item: ReasonActivity }) {
  const { Id, Name, Schema, CanRun, CanEdit, IsActive } = item;
  const may = [CanRun && t('Run'), CanEdit && t('Edit'), !IsActive && t('Not active')].filter((part) => part !== false);
  return (
    <li>
      <span className="rs-seen-name">
        {Name} <span className="rs-muted">{Schema}</span>
      </span>
      <span className="rs-muted">{may.join(', ')}</span>
      <Link to={`/accessReasons?user=${userId}&activity=${Id}`} aria-label={t('Why: {name}', { name: Name })}>
        {t('Why?')}
      </Link>
    </li>
  );
}
