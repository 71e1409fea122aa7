import { Disable, Edit, Envelope, IdNumber, Key, Lock, MobilePhone, TickCircle, Trash } from '@blueprintjs/icons';
import type { User, UserAbilities } from '#shared/contract/users.ts';
import type { Profile } from '#shared/contract/auth.ts';
import { t } from '#renderer/language/translate.ts';
import { hasOwnProfile } from './user-form.ts';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';

export type UserQuestion = 'disable' | 'delete' | 'factor';

interface UserMenuDeps {
  abilities: UserAbilities;
  me: Pick<Profile, 'UserId' | 'IsUserAdmin'>;
  enable: (user: User) => void;
  ask: (question: UserQuestion, user: User) => void;
  sendLink: (user: User) => void;
}

/** Returns what the current user may do to a user. Source: specification of security, sections 4 and 6. */
export function userMenu(user: User, { abilities, me, enable, ask, sendLink }: UserMenuDeps): MenuEntry[] {
  // Only administrators may change administrators.
  if (user.IsUserAdmin && !me.IsUserAdmin) return [];
  const { UserId, UserName, Enabled, Source, Email } = user;
  const frees = abilities.canManagePasswords && user.SecondFactorOn && !isMe(user, me);
  const isLocal = Source === 'Local';
  const isEdited = hasOwnProfile(user, abilities);
  const manages = abilities.canManageUsers;
  const sets = abilities.canManagePasswords && abilities.AllowAdminToSetPassword && isLocal && !isMe(user, me);
  const mails = abilities.canManagePasswords && abilities.AllowPasswordReset && isLocal && Enabled && Email !== '';
  return [
    manages && {
      text: isEdited ? t('Edit') : t('Details'),
      icon: isEdited ? <Edit /> : <IdNumber />,
      to: `/edituser/${UserId}/`,
    },
    sets && { text: t('Set New Password'), icon: <Lock />, to: `/setNewPassword/${encodeURIComponent(UserName)}` },
    mails && { text: t('Reset password by email'), icon: <Envelope />, onSelect: () => sendLink(user) },
    frees && { text: t('Remove second factor'), icon: <MobilePhone />, onSelect: () => ask('factor', user) },
    abilities.canManagePasswords &&
      abilities.EnableUserApiKeys && { text: t('API keys'), icon: <Key />, to: `/userapikeys/${UserId}/` },
    manages && !Enabled && { text: t('Enable'), icon: <TickCircle />, onSelect: () => enable(user) },
    manages &&
      Enabled &&
      !isMe(user, me) && { text: t('Disable'), icon: <Disable />, onSelect: () => ask('disable', user) },
    manages &&
      Enabled &&
      !isMe(user, me) && {
        text: t('Delete'),
        icon: <Trash />,
        intent: 'danger' as const,
        onSelect: () => ask('delete', user),
      },
  ].filter((entry) => entry !== false);
}

const isMe = (user: User, me: { UserId: number }): boolean => user.UserId === me.UserId;

/** 'Ada M. Lovelace'. */
export const userFullName = (user: { FirstName: string; MiddleName?: string; LastName: string }): string =>
  [user.FirstName, user.MiddleName, user.LastName].filter(Boolean).join(' ');
