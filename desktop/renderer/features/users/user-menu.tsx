import { Disable, Edit, IdNumber, Key, Lock, TickCircle, Trash } from '@blueprintjs/icons';
import type { User, UserAbilities } from '#shared/contract/users.ts';
import type { Profile } from '#shared/contract/auth.ts';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';

export type UserQuestion = 'disable' | 'delete';

interface UserMenuDeps {
  abilities: UserAbilities;
  me: Pick<Profile, 'UserId' | 'IsUserAdmin'>;
  enable: (user: User) => void;
  ask: (question: UserQuestion, user: User) => void;
}

/** What the person may do to a user. Source: specification of security, sections 4 and 6. */
export function userMenu(user: User, { abilities, me, enable, ask }: UserMenuDeps): MenuEntry[] {
  // Administrators are the business of administrators.
  if (user.IsUserAdmin && !me.IsUserAdmin) return [];
  const { UserId, UserName, Enabled, Source } = user;
  const isLocal = Source === 'Local';
  const isMe = UserId === me.UserId;
  const manages = abilities.canManageUsers;
  const sets = abilities.canManagePasswords && abilities.AllowAdminToSetPassword && isLocal && !isMe;
  return [
    manages && {
      text: isLocal ? 'Edit' : 'Details',
      icon: isLocal ? <Edit /> : <IdNumber />,
      to: `/edituser/${UserId}/`,
    },
    sets && { text: 'Set New Password', icon: <Lock />, to: `/setNewPassword/${encodeURIComponent(UserName)}` },
    abilities.canManagePasswords &&
      abilities.EnableUserApiKeys && { text: 'API Keys', icon: <Key />, to: `/userapikeys/${UserId}/` },
    manages && !Enabled && { text: 'Enable', icon: <TickCircle />, onSelect: () => enable(user) },
    manages && Enabled && !isMe && { text: 'Disable', icon: <Disable />, onSelect: () => ask('disable', user) },
    manages &&
      Enabled &&
      !isMe && { text: 'Delete', icon: <Trash />, intent: 'danger' as const, onSelect: () => ask('delete', user) },
  ].filter((entry) => entry !== false);
}

/** 'Ada M. Lovelace'. */
export const userFullName = (user: { FirstName: string; MiddleName?: string; LastName: string }): string =>
  [user.FirstName, user.MiddleName, user.LastName].filter(Boolean).join(' ');
