import { Button, Menu, MenuDivider, MenuItem, Popover } from '@blueprintjs/core';
import { Contrast, Flash, Key, LogOut, Moon, Tick, User } from '@blueprintjs/icons';
import { useRouterLink } from '#renderer/ui/TitleMenu.tsx';
import { useProfile } from './profile.ts';
import { signOut, useSession } from './session.ts';
import { setTheme, useTheme, type Theme } from './theme.ts';

const THEMES = [
  { theme: 'light', text: 'Light', Icon: Flash },
  { theme: 'dark', text: 'Dark', Icon: Moon },
  { theme: 'system', text: 'Like the system', Icon: Contrast },
] as const satisfies { theme: Theme; text: string; Icon: unknown }[];

export function UserMenu() {
  const profile = useProfile();
  const signedInAs = useSession((state) => state.session?.userName ?? '');
  const fullName = profile ? `${profile.FirstName} ${profile.LastName}`.trim() : '';
  const name = fullName || profile?.UserName || signedInAs;
  return (
    <Popover placement="bottom-end" content={<UserEntries isLocal={profile?.Source === 'Local'} name={name} />}>
      <Button variant="minimal" icon={<User />} aria-label={`User menu of ${name}`} aria-haspopup="menu">
        <span className="rs-top-user">{name}</span>
      </Button>
    </Popover>
  );
}

function UserEntries({ isLocal, name }: { isLocal: boolean; name: string }) {
  const current = useTheme((state) => state.theme);
  const changePassword = useRouterLink('/changepassword');
  return (
    <Menu>
      <MenuDivider title={name} />
      {isLocal && <MenuItem icon={<Key />} text="Change Password" {...changePassword} />}
      <MenuDivider title="Theme" />
      {THEMES.map(({ theme, text, Icon }) => (
        <MenuItem
          key={theme}
          icon={<Icon />}
          text={text}
          roleStructure="listoption"
          selected={current === theme}
          labelElement={current === theme ? <Tick title="chosen" /> : undefined}
          onClick={() => setTheme(theme)}
        />
      ))}
      <MenuDivider />
      <MenuItem icon={<LogOut />} text="Log out" onClick={() => void signOut()} />
    </Menu>
  );
}
