import { Button } from '@blueprintjs/core';
import { Trash } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import { activityShares, unshareActivity, type ActivityShares, type Share } from '#shared/contract/sharing.ts';
import { levelOfRights } from '#shared/rules/share-levels.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { LoadMore, type FurtherPages } from '#renderer/ui/LoadMore.tsx';
import { HolderName, keyOfHolder } from './HolderName.tsx';
import { LEVEL, RIGHT } from './share-texts.ts';

const TOUCHED = [activityShares];

interface ShareListProps {
  id: number;
  query: FurtherPages & { data: { pages: readonly ActivityShares[] } | undefined };
  first: ActivityShares;
}

/** Who has access and how: directly, through a role, through the schema, or to all activities. */
export function ShareList({ id, query, first }: ShareListProps) {
  const items = query.data?.pages.flatMap(({ Items }) => Items) ?? [];
  const { isBusy, change } = useChange(TOUCHED);
  const reason = useServerReason();
  const remove = ({ Holder: { UserId, Name } }: Share): void => {
    const body = UserId === null ? { UserIds: [], Roles: [Name] } : { UserIds: [UserId], Roles: [] };
    void change(() => call(unshareActivity, { params: { id }, body }), t('No longer shared'));
  };
  return (
    <section aria-label={t('Who has access')}>
      <h2>{t('Who has access')}</h2>
      <ul className="rs-plain-list rs-share-list" aria-label={t('Shared with')}>
        {items.map((share) => (
          <li key={keyOf(share)} className="rs-share-line">
            <HolderName holder={share.Holder} />
            <span className="rs-share-what" title={share.Rights.join(', ')}>
              {whatText(share)}
              <span className="rs-muted">{howText(share, first.Schema)}</span>
            </span>
            {share.Scope === 'Activity' && !share.IsDenied && (
              <Button
                size="small"
                variant="minimal"
                icon={<Trash title={false} />}
                aria-label={t('Stop sharing with {name}', { name: share.Holder.Name })}
                disabled={isBusy || reason !== undefined}
                title={reason}
                onClick={() => remove(share)}
              />
            )}
          </li>
        ))}
        <li className="rs-share-line rs-muted">
          {t('{count, plural, one {# administrator, who has} other {# administrators, who have}} every right', {
            count: first.AdministratorCount,
          })}
        </li>
      </ul>
      <LoadMore query={query} />
      <Link to={`/accessReasons?activity=${id}`}>{t('Check access')}</Link>
    </section>
  );
}

const keyOf = ({ Holder, Scope, IsDenied }: Share): string => `${keyOfHolder(Holder)} ${Scope} ${String(IsDenied)}`;

function whatText({ Rights, IsDenied }: Share): string {
  const level = IsDenied ? null : levelOfRights(Rights);
  const rights = level ? LEVEL[level].title : Rights.map((right) => RIGHT[right]).join(', ');
  return IsDenied ? t('Denied: {rights}', { rights }) : rights;
}

function howText({ Scope }: Share, schema: string): string {
  if (Scope === 'Activity') return t('for this activity');
  return Scope === 'Schema' ? t('through the schema {schema}', { schema }) : t('for all activities');
}
