import { Add } from '@blueprintjs/icons';
import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { sendPasswordReset } from '#shared/contract/password-reset.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  listUsers,
  type User,
  type UserAbilities,
} from '#shared/contract/users.ts';
import { removeSecondFactor } from '#shared/contract/second-factor.ts';
import { call } from '#renderer/api/client.ts';
import { useProfile, useRight } from '#renderer/app/profile.ts';
import { EnabledMark } from '#renderer/ui/EnabledMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { useSearch } from '#renderer/ui/use-search.ts';
import { useTickedUsers } from '#renderer/features/user-import/use-ticked-users.tsx';
import { UserBulkBar } from '#renderer/features/user-import/UserBulkBar.tsx';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { MoreButton, type FurtherPages } from '#renderer/ui/LoadMore.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { MoreMenu, type MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { useUsers } from './use-users.ts';
import { userFullName, userMenu, type UserQuestion } from './user-menu.tsx';

/** Source: specification of security, section 8. */
const PASSWORD_LINK_SENT = t('An email with a password reset link has been sent to the user');

const TOUCHED = [listUsers] as const;

const DATA_COLUMNS: GridColumn<User>[] = [
  { key: 'FullName', title: t('Full Name'), text: userFullName, givesWayTo: 140 },
  { key: 'Email', title: t('Email'), text: (user) => user.Email, givesWayTo: 140 },
  // One column for the source and its name.
  { key: 'Source', title: t('Source'), text: ({ Source, SourceName }) => `${Source} ${SourceName}`.trim() },
  {
    key: 'Enabled',
    title: t('Status'),
    width: 120,
    givesWayTo: 100,
    text: (user) => (user.Enabled ? t('Enabled') : t('Disabled')),
    render: (user) => <EnabledMark isOn={user.Enabled} />,
  },
  {
    key: 'SecondFactor',
    title: t('Second factor'),
    width: 130,
    givesWayTo: 112,
    text: (user) => (user.SecondFactorOn ? t('On') : user.SecondFactorRequired ? t('Required') : ''),
  },
  {
    key: 'IsUserAdmin',
    title: t('Administrator'),
    width: 130,
    givesWayTo: 112,
    text: (user) => (user.IsUserAdmin ? t('Yes') : ''),
  },
  {
    key: 'LastLoginTime',
    title: t('Last sign-in'),
    width: 150,
    text: (user) => (user.LastLoginTime ? formatDayTime(user.LastLoginTime) : ''),
  },
];

/** /users/. The menu is beside the name, because at the end of the row it would be outside the window. */
export function UsersPage() {
  const { typed, setTyped, search } = useSearch();
  const query = useUsers(search);
  const abilities = query.data?.pages[0];
  return (
    <Page
      title={t('Users')}
      actions={
        abilities?.canManageUsers && (
          <>
            <LinkButton to="/newusers/" text={t('Add several users')} />
            <LinkButton to="/newuser/" icon={<Add />} intent="primary" text={t('New User')} />
          </>
        )
      }
    >
      <div className="rs-bar">
        <SearchField label={t('Search users')} value={typed} onChange={setTyped} />
        {abilities && <span className="rs-muted">{countText(abilities.Total)}</span>}
      </div>
      <QueryStates query={query} failure={t('Failed to get users list')}>
        {({ pages }) => <UserGrid pages={pages} abilities={pages[0]!} search={search} query={query} />}
      </QueryStates>
    </Page>
  );
}

const countText = (total: number): string => t('{count, plural, one {# user} other {# users}}', { count: total });

interface UserGridProps {
  pages: readonly { Items: User[] }[];
  abilities: UserAbilities;
  search: string;
  query: FurtherPages;
}

interface Asked {
  question: UserQuestion;
  user: User;
}

function UserGrid({ pages, abilities, search, query }: UserGridProps) {
  const navigate = useNavigate();
  const { isBusy, change } = useChange(TOUCHED);
  const [asked, setAsked] = useState<Asked | null>(null);
  const rows = useMemo(() => pages.flatMap((page) => page.Items), [pages]);
  const menuOf = useUserMenus(abilities, change, setAsked);
  const pathOf = useCallback(
    (user: User) => menuOf(user).find(({ text }) => text === t('Edit') || text === t('Details'))?.to ?? null,
    [menuOf],
  );
  const managesRoles = useRight('sk.ManageRoles') === true;
  const sendsLinks = abilities.canManagePasswords && abilities.AllowPasswordReset;
  const isBulk = abilities.canManageUsers || managesRoles || sendsLinks;
  const ticks = useTickedUsers();
  const columns = useMemo(
    () => [...(isBulk ? [ticks.column] : []), nameColumn(pathOf), actionsColumn(menuOf), ...DATA_COLUMNS],
    [menuOf, pathOf, isBulk, ticks.column],
  );
  const open = useCallback(
    (user: User) => {
      const path = pathOf(user);
      if (path) void navigate(path);
    },
    [pathOf, navigate],
  );
  const answer = (isYes: boolean): void => {
    if (!isYes || !asked) return setAsked(null);
    const { question, user } = asked;
    void change(() => call(ENDPOINTS[question], { params: { id: user.UserId } })).then(
      (isDone) => isDone && setAsked(null),
    );
  };
  return (
    <>
      {isBulk && <UserBulkBar {...{ rows, ticks, managesRoles, sendsLinks }} managesUsers={abilities.canManageUsers} />}
      <DataGrid
        label={t('Users')}
        rows={rows}
        columns={columns}
        empty={search === '' ? t('No results to display') : t('No users match the search')}
        maxRows={16}
        maxColumnWidth={220}
        sortable={false}
        onRowClick={open}
        more={query}
      />
      <MoreButton query={query} />
      <Question asked={asked} isBusy={isBusy} onAnswer={answer} />
    </>
  );
}

/** Returns a function that returns the menu of a user; empty while it is not known who the current user is. */
function useUserMenus(
  abilities: UserAbilities,
  change: ReturnType<typeof useChange>['change'],
  setAsked: (asked: Asked) => void,
): (user: User) => MenuEntry[] {
  const me = useProfile();
  return useCallback(
    (user: User): MenuEntry[] =>
      me
        ? userMenu(user, {
            abilities,
            me,
            enable: ({ UserId }) => void change(() => call(enableUser, { params: { id: UserId } })),
            ask: (question, about) => setAsked({ question, user: about }),
            sendLink: ({ UserId }) =>
              void change(() => call(sendPasswordReset, { params: { id: UserId } }), PASSWORD_LINK_SENT),
          })
        : [],
    [abilities, me, change, setAsked],
  );
}

const nameColumn = (to: (user: User) => MenuEntry['to'] | null): GridColumn<User> => ({
  key: 'UserName',
  title: t('User Name'),
  text: (user) => user.UserName,
  to: (user) => to(user) ?? null,
  givesWayTo: 150,
});

function actionsColumn(menuOf: (user: User) => MenuEntry[]): GridColumn<User> {
  return {
    key: 'actions',
    title: '',
    width: 50,
    isActions: true,
    text: () => '',
    render: (user) =>
      menuOf(user).length > 0 && (
        <MoreMenu label={t('Menu of {userName}', { userName: user.UserName })} entries={() => menuOf(user)} />
      ),
  };
}

interface QuestionProps {
  asked: Asked | null;
  isBusy: boolean;
  onAnswer: (isYes: boolean) => void;
}

const QUESTIONS: Record<UserQuestion, { title: string; confirm: string; text: (name: string) => string }> = {
  delete: {
    title: t('Delete user'),
    confirm: t('Delete'),
    text: (name) =>
      t(
        "{name} is signed out immediately and loses all rights, roles and API keys. The user's runs remain, with the name. This cannot be undone.",
        { name },
      ),
  },
  disable: {
    title: t('Disable user'),
    confirm: t('Disable'),
    text: (name) => t('{name} is signed out immediately and cannot sign in until enabled again.', { name }),
  },
  factor: {
    title: t('Remove second factor'),
    confirm: t('Remove'),
    text: (name) =>
      t(
        '{name} is signed out immediately, and the next sign-in requires only the password. If a second factor is required, the user sets up a new one at that sign-in.',
        { name },
      ),
  },
};

const ENDPOINTS = { delete: deleteUser, disable: disableUser, factor: removeSecondFactor };

function Question({ asked, isBusy, onAnswer }: QuestionProps) {
  const { title, confirm, text } = QUESTIONS[asked?.question ?? 'disable'];
  return (
    <ConfirmDialog
      isOpen={asked !== null}
      title={title}
      confirmText={confirm}
      intent="danger"
      isBusy={isBusy}
      onConfirm={() => onAnswer(true)}
      onCancel={() => onAnswer(false)}
    >
      {text(asked?.user.UserName ?? '')}
    </ConfirmDialog>
  );
}
