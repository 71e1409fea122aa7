import { Button, Checkbox, Dialog, DialogBody, HTMLSelect } from '@blueprintjs/core';
import { Trash } from '@blueprintjs/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import {
  dashboardDetails,
  dashboardPeople,
  setRoleStartPages,
  shareDashboard,
  type Dashboard,
  type DashboardShare,
} from '#shared/contract/dashboards.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { DashboardLink } from './DashboardLink.tsx';
import { keyOfShare, withShare, type ShareChange } from './share-changes.ts';

const TOUCHED = [dashboardDetails] as const;
const OFFERED = 8;

interface PartProps {
  dashboard: Dashboard;
}

/** With whom a dashboard is shared, its public link, and the roles that have it as their start page. */
export function ShareDashboard({ dashboard, onClose }: PartProps & { onClose: () => void }) {
  const { Name, CanShare, CanPublish, CanSetRoles, PublicLink } = dashboard;
  return (
    <Dialog isOpen title={t('Share {name}', { name: Name })} className="rs-dashboard-dialog" onClose={onClose}>
      <DialogBody>
        {CanShare && (
          <>
            <p className="rs-muted">
              {t(
                "Sharing a dashboard grants no rights. Each tile shows people only what they are allowed to see, or says that they can't see it.",
              )}
            </p>
            <Shares dashboard={dashboard} />
            <NewShares dashboard={dashboard} />
          </>
        )}
        {CanSetRoles && <StartRoles dashboard={dashboard} />}
        {(CanPublish || (CanShare && PublicLink !== null)) && <DashboardLink dashboard={dashboard} />}
      </DialogBody>
    </Dialog>
  );
}

/** Reads the dashboard before each change, because the call replaces all shares, also those of somebody else. */
const presentDashboard = (id: number): Promise<Dashboard> => call(dashboardDetails, { params: { id } });

function useShares({ Id }: Dashboard) {
  const { isBusy, change } = useChange(TOUCHED);
  const write = (share: DashboardShare, how: ShareChange, done: string): void =>
    void change(async () => {
      const Shares = withShare((await presentDashboard(Id)).Shares, share, how);
      await call(shareDashboard, { body: { Id, Shares } });
    }, done);
  return { isBusy, write };
}

const LEVELS = [
  { value: 'view', label: t('Can view') },
  { value: 'edit', label: t('Can edit') },
];

function Shares({ dashboard }: PartProps) {
  const { isBusy, write } = useShares(dashboard);
  const names = new Map(dashboard.Users.map(({ UserId, UserFullName }) => [UserId, UserFullName]));
  const nameOf = (share: DashboardShare): string =>
    'RoleName' in share
      ? t('Role {roleName}', { roleName: share.RoleName })
      : (names.get(share.UserId) ?? t('Person {userId}', { userId: share.UserId }));
  if (dashboard.Shares.length === 0) return <p>{t('It is not shared with anyone yet.')}</p>;
  return (
    <ul className="rs-plain-list" aria-label={t('Shared with')}>
      {dashboard.Shares.map((share) => (
        <li key={keyOfShare(share)} className="rs-dashboard-share">
          <span>{nameOf(share)}</span>
          <HTMLSelect
            aria-label={t('What {name} may do', { name: nameOf(share) })}
            options={LEVELS}
            disabled={isBusy}
            value={share.CanEdit ? 'edit' : 'view'}
            onChange={({ currentTarget: { value } }) =>
              write({ ...share, CanEdit: value === 'edit' }, 'change', t('Changed'))
            }
          />
          <Button
            size="small"
            variant="minimal"
            icon={<Trash title={false} />}
            aria-label={t('Stop sharing with {name}', { name: nameOf(share) })}
            disabled={isBusy}
            onClick={() => write(share, 'remove', t('No longer shared'))}
          />
        </li>
      ))}
    </ul>
  );
}

function NewShares({ dashboard }: PartProps) {
  const [typed, setTyped] = useState('');
  const Search = useDeferredValue(typed.trim());
  const { isBusy, write } = useShares(dashboard);
  const people = useQuery({
    queryKey: [...keyOf(dashboardPeople), dashboard.Id, Search],
    queryFn: ({ signal }) => call(dashboardPeople, { body: { DashboardId: dashboard.Id, Search }, signal }),
    placeholderData: keepPreviousData,
  });
  const { data } = people;
  const known = new Set(dashboard.Shares.map(keyOfShare));
  const isFound = (name: string): boolean => name.toLowerCase().includes(Search.toLowerCase());
  const roles = (data?.Roles ?? [])
    .filter(isFound)
    .map((RoleName) => ({ name: t('Role {roleName}', { roleName: RoleName }), share: { RoleName, CanEdit: false } }));
  const users = (data?.Users ?? []).map(({ UserId, UserName, UserFullName }) => ({
    name: `${UserFullName} (${UserName})`,
    share: { UserId, CanEdit: false },
  }));
  const offered = [...roles, ...users].filter(({ share }) => !known.has(keyOfShare(share)));
  return (
    <section aria-label={t('People and roles')}>
      <h3>{t('Share with')}</h3>
      <SearchField label={t('Search people and roles')} value={typed} onChange={setTyped} />
      <FetchFailure query={people} text={t('Roles and people could not be loaded.')} />
      {data && offered.length === 0 && <p role="status">{t('Nobody found')}</p>}
      <ul className="rs-plain-list rs-dashboard-people">
        {offered.slice(0, OFFERED).map(({ name, share }) => (
          <li key={keyOfShare(share)} className="rs-dashboard-share">
            <span>{name}</span>
            <Button
              size="small"
              text={t('Share')}
              aria-label={t('Share with {name}', { name })}
              disabled={isBusy}
              onClick={() => {
                write(share, 'add', t('Shared'));
                setTyped('');
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function StartRoles({ dashboard }: PartProps) {
  const { Id, Shares, StartRoles, CanShare } = dashboard;
  const { isBusy, change } = useChange(TOUCHED);
  const shared = CanShare ? Shares.flatMap((share) => ('RoleName' in share ? share.RoleName : [])) : StartRoles;
  const roles = [...new Set([...shared, ...StartRoles])];
  const write = (role: string, isOn: boolean): void => {
    void change(async () => {
      const others = (await presentDashboard(Id)).StartRoles.filter((one) => one !== role);
      await call(setRoleStartPages, { body: { Id, Roles: isOn ? [...others, role] : others } });
    }, t('Changed'));
  };
  return (
    <section aria-label={t('Start page of roles')}>
      <h3>{t('Start page of roles')}</h3>
      {roles.length === 0 && <p className="rs-muted">{t('Share the dashboard with a role first.')}</p>}
      {roles.map((role) => (
        <Checkbox
          key={role}
          label={t('Start page for role {role}', { role })}
          checked={StartRoles.includes(role)}
          disabled={isBusy}
          onChange={({ currentTarget }) => write(role, currentTarget.checked)}
        />
      ))}
    </section>
  );
}
