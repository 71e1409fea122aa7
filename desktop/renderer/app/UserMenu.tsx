import { Button, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core';
import {
  Contrast,
  Desktop,
  Flash,
  GlobeNetwork,
  Key,
  LogOut,
  MobilePhone,
  Moon,
  Notifications,
  Tick,
  User,
} from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import { KeyMenu } from '#renderer/ui/KeyMenu.tsx';
import { useRouterLink } from '#renderer/ui/use-router-link.ts';
import { useProfile } from './profile.ts';
import { signOut, useSession } from './session.ts';
import { setTheme, useTheme, type Theme } from './theme.ts';

const THEMES = [
  { theme: 'light', text: t('Light'), Icon: Flash },
  { theme: 'dark', text: t('Dark'), Icon: Moon },
  { theme: 'system', text: t('Like the system'), Icon: Contrast },
] as const satisfies { theme: Theme; text: string; Icon: unknown }[];

export function UserMenu() {
  const profile = useProfile();
  const signedInAs = useSession((state) => state.session?.userName ?? '');
  const fullName = profile ? `${profile.FirstName} ${profile.LastName}`.trim() : '';
  const name = fullName || profile?.UserName || signedInAs;
  return (
    <PopoverNext placement="bottom-end" content={<UserEntries isLocal={profile?.Source === 'Local'} name={name} />}>
      <Button variant="minimal" icon={<User />} aria-label={t('User menu of {name}', { name })} aria-haspopup="menu">
        <span className="rs-top-user">{name}</span>
      </Button>
    </PopoverNext>
  );
}

function UserEntries({ isLocal, name }: { isLocal: boolean; name: string }) {
  const current = useTheme((state) => state.theme);
  const isSaml2 = useSession((state) => state.session?.ssoProvider?.startsWith('saml2:') === true);
  const changePassword = useRouterLink('/changepassword');
  const secondFactor = useRouterLink('/secondfactor');
  const sessions = useRouterLink('/sessions');
  const notices = useRouterLink('/notifications/settings');
  return (
    <KeyMenu>
      <MenuTitle>{name}</MenuTitle>
      {isLocal && <MenuItem icon={<Key />} text={t('Change Password')} {...changePassword} />}
      {isLocal && <MenuItem icon={<MobilePhone />} text={t('Two-step sign-in')} {...secondFactor} />}
      <MenuItem icon={<Notifications />} text={t('Notification settings')} {...notices} />
      <MenuItem icon={<Desktop />} text={t('Sessions')} {...sessions} />
      <MenuTitle>{t('Theme')}</MenuTitle>
      {THEMES.map(({ theme, text, Icon }) => (
        <MenuItem
          key={theme}
          icon={<Icon />}
          text={text}
          labelElement={current === theme ? <Tick title={t('chosen')} /> : undefined}
          onClick={() => setTheme(theme)}
        />
      ))}
      <MenuDivider />
      <MenuItem icon={<LogOut />} text={t('Log out')} onClick={() => void signOut()} />
      {isSaml2 && (
        <MenuItem
          icon={<GlobeNetwork />}
          text={t('Log out from Everywhere')}
          onClick={() => void signOut({ everywhere: true })}
        />
      )}
    </KeyMenu>
  );
}

/** Blueprint's own titles are headings, which a menu must not hold. */
function MenuTitle({ children }: { children: string }) {
  return (
    <li role="presentation" className="rs-menu-title">
      {children}
    </li>
  );
}
