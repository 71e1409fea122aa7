import { Button, Dialog, DialogBody, HTMLSelect } from '@blueprintjs/core';
import { Trash } from '@blueprintjs/icons';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { specificGrantInfo, type GrantInfo } from '#shared/contract/right-grants.ts';
import { keepPrevious, queryOf } from '#renderer/api/queries.ts';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { TOUCHED } from '#renderer/features/rights/use-grants.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { share, unshare } from './change-shares.ts';
import { PublicLink } from './PublicLink.tsx';
import {
  LEVEL,
  LEVELS,
  roleGrantee,
  SHARED_RIGHTS,
  sharesOf,
  userGrantee,
  type Grantee,
  type Level,
} from './share-grants.ts';
import './share.css';

interface ShareDialogProps {
  id: number;
  name: string;
  onClose: () => void;
}

const paramsOf = (name: string, id: number) => ({ name, keyColumn: 'Id', value: String(id) });
/** Maximum number of people fetched for one activity; the pages of rights show more. */
const MAX_SHARES = 200;
const OFFERED = 6;

/** Shows with whom an activity is shared, and the public link. For users who manage rights. */
export function ShareDialog({ id, name, onClose }: ShareDialogProps) {
  const query = { Held: true, Take: MAX_SHARES };
  const held = useQueries({
    queries: SHARED_RIGHTS.map((right) => queryOf(specificGrantInfo, { params: paramsOf(right, id), query })),
  });
  const infos = held.flatMap(({ data }) => data ?? []);
  const failed = held.find(({ error, data }) => error && !data);
  return (
    <Dialog isOpen title={t('Share {name}', { name })} className="rs-share" onClose={onClose}>
      <DialogBody>
        {failed && <FailureState error={failed.error} onRetry={() => held.forEach(({ refetch }) => void refetch())} />}
        {!failed && infos.length < SHARED_RIGHTS.length && <Skeleton kind="form" />}
        {infos.length === SHARED_RIGHTS.length && (
          <>
            <NewShare id={id} />
            <Shares id={id} infos={infos} />
            <PublicLink
              id={id}
              isPublic={infos[0]!.OverallInternetAccess === 1}
              explicit={infos[0]!.ExplicitInternetAccess}
            />
          </>
        )}
      </DialogBody>
    </Dialog>
  );
}

function NewShare({ id }: { id: number }) {
  const [level, setLevel] = useState<Level>('run');
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const { isBusy, change } = useChange(TOUCHED);
  const people = useQuery({
    ...queryOf(specificGrantInfo, { params: paramsOf('sk.RunActivity', id), query: { Search: search, Take: OFFERED } }),
    ...keepPrevious,
    enabled: search !== '',
  });
  const { data } = people;
  const offered = search === '' || !data ? [] : offeredGrantees(data, search);
  return (
    <section aria-label={t('People and roles')}>
      <h2>{t('People and roles')}</h2>
      <div className="rs-share-new">
        <SearchField label={t('Search people and roles')} value={typed} onChange={setTyped} />
        <HTMLSelect
          aria-label={t('What they may do')}
          value={level}
          options={LEVELS.map((value) => ({ value, label: LEVEL[value].title }))}
          onChange={(event) => setLevel(event.currentTarget.value as Level)}
        />
      </div>
      <p className="rs-muted">{LEVEL[level].sees}</p>
      {search !== '' && <FetchFailure query={people} text={t('Roles and people could not be loaded.')} />}
      {search !== '' && data && offered.length === 0 && <p role="status">{t('Nobody found')}</p>}
      <ul className="rs-plain-list">
        {offered.map((grantee) => (
          <li key={`${grantee.kind} ${grantee.id}`} className="rs-share-line">
            <GranteeName grantee={grantee} />
            <Button
              size="small"
              text={t('Share')}
              aria-label={t('Share with {name}', { name: grantee.name })}
              disabled={isBusy}
              onClick={() => void change(() => share(id, grantee, level), t('Shared'))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function offeredGrantees({ RoleGrants, UserGrants }: GrantInfo, search: string): Grantee[] {
  const roles = RoleGrants.filter(
    ({ RoleName, IsActive }) => IsActive && RoleName.toLowerCase().includes(search.toLowerCase()),
  );
  return [...roles.slice(0, OFFERED).map(roleGrantee), ...UserGrants.map(userGrantee)];
}

function GranteeName({ grantee }: { grantee: Grantee }) {
  return (
    <span className="rs-share-name">
      {grantee.name} {grantee.kind === 'role' && <span className="rs-muted">{t('role')}</span>}
    </span>
  );
}

function Shares({ id, infos }: { id: number; infos: readonly GrantInfo[] }) {
  const { isBusy, change } = useChange(TOUCHED);
  const shares = sharesOf(infos);
  if (shares.length === 0) return <p>{t('Nobody has been given rights to this specific activity yet.')}</p>;
  return (
    <ul className="rs-plain-list" aria-label={t('Shared with')}>
      {shares.map((one) => (
        <li key={`${one.kind} ${one.id}`} className="rs-share-line">
          <GranteeName grantee={one} />
          <span className="rs-muted">{LEVEL[one.level].title}</span>
          <Button
            size="small"
            variant="minimal"
            icon={<Trash title={false} />}
            aria-label={t('Stop sharing with {name}', { name: one.name })}
            disabled={isBusy}
            onClick={() => void change(() => unshare(id, one), t('No longer shared'))}
          />
        </li>
      ))}
    </ul>
  );
}
