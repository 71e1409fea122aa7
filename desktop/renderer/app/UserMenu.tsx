import { Button, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core';
import {
  Application,
  Contrast,
  Desktop,
  Flash,
  Globe,
  GlobeNetwork,
  Key,
  LayoutLinear,
  LogOut,
  Menu,
  MobilePhone,
  Moon,
  Notifications,
  Tick,
  Translate,
  User,
} from '@blueprintjs/icons';
import { useState } from 'react';
import { t } from '#renderer/language/translate.ts';
import type { Language } from '#shared/contract/auth.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { queryClient } from '#renderer/api/queries.ts';
import { chooseLanguage, LANGUAGES } from '#renderer/language/language.ts';
import { showError } from '#renderer/ui/toaster.tsx';
import { setDensity, useDensity, type Density } from '#renderer/ui/density.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { KeyMenu } from '#renderer/ui/KeyMenu.tsx';
import { useEverTrue } from '#renderer/ui/use-ever-true.ts';
import { useRouterLink } from '#renderer/ui/use-router-link.ts';
import type { RegionDialogProps } from './RegionDialog.tsx';
import { profileQuery, useProfile } from './profile.ts';
import { useSession } from './session.ts';
import { setTheme, useTheme, type Theme } from './theme.ts';
import { useLogOut } from './use-log-out.tsx';

const RegionDialog = lazyPart<RegionDialogProps>(async () => (await import('./RegionDialog.tsx')).RegionDialog);

const THEMES = [
  { theme: 'light', text: t('Light'), Icon: Flash },
  { theme: 'dark', text: t('Dark'), Icon: Moon },
  { theme: 'system', text: t('Same as the system'), Icon: Contrast },
] as const satisfies { theme: Theme; text: string; Icon: unknown }[];

export function UserMenu() {
  const profile = useProfile();
  const signedInAs = useSession((state) => state.session?.userName ?? '');
  const fullName = profile ? `${profile.FirstName} ${profile.LastName}`.trim() : '';
  const name = fullName || profile?.UserName || signedInAs;
  const [isChoosing, setChoosing] = useState(false);
  const hasChosen = useEverTrue(isChoosing);
  const { logOut, question } = useLogOut();
  const entries = (
    <UserEntries
      isLocal={profile?.Source === 'Local'}
      name={name}
      onRegion={() => setChoosing(true)}
      onLogOut={logOut}
    />
  );
  return (
    <>
      <PopoverNext placement="bottom-end" content={entries}>
        <Button variant="minimal" icon={<User />} aria-label={t('User menu of {name}', { name })} aria-haspopup="menu">
          <span className="rs-top-user">{name}</span>
        </Button>
      </PopoverNext>
      {hasChosen && (
        <RegionDialog isOpen={isChoosing} chosen={profile?.Region ?? null} onClose={() => setChoosing(false)} />
      )}
      {question}
    </>
  );
}

interface UserEntriesProps {
  isLocal: boolean;
  name: string;
  onRegion: () => void;
  onLogOut: ReturnType<typeof useLogOut>['logOut'];
}

function UserEntries({ isLocal, name, onRegion, onLogOut }: UserEntriesProps) {
  const current = useTheme((state) => state.theme);
  const isSaml2 = useSession((state) => state.session?.ssoProvider?.startsWith('saml2:') === true);
  const changePassword = useRouterLink('/changepassword');
  const secondFactor = useRouterLink('/secondfactor');
  const sessions = useRouterLink('/sessions');
  const notices = useRouterLink('/notifications/settings');
  const excelAddIn = useRouterLink('/excelAddIn');
  return (
    <KeyMenu>
      <MenuTitle>{name}</MenuTitle>
      {isLocal && <MenuItem icon={<Key />} text={t('Change Password')} {...changePassword} />}
      {isLocal && <MenuItem icon={<MobilePhone />} text={t('Two-step sign-in')} {...secondFactor} />}
      <MenuItem icon={<Notifications />} text={t('Notification settings')} {...notices} />
      <MenuItem icon={<Desktop />} text={t('Sessions')} {...sessions} />
      <MenuItem icon={<Application />} text={t('Excel add-in')} {...excelAddIn} />
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
      <DensityEntries />
      <LanguageEntries />
      <RegionEntry onOpen={onRegion} />
      <MenuDivider />
      <MenuItem icon={<LogOut />} text={t('Log out')} onClick={() => onLogOut()} />
      {isSaml2 && (
        <MenuItem
          icon={<GlobeNetwork />}
          text={t('Log out from Everywhere')}
          onClick={() => onLogOut({ everywhere: true })}
        />
      )}
    </KeyMenu>
  );
}

const DENSITIES = [
  { density: 'comfortable', text: t('Comfortable rows'), Icon: LayoutLinear },
  { density: 'compact', text: t('Compact rows'), Icon: Menu },
] as const satisfies { density: Density; text: string; Icon: unknown }[];

function DensityEntries() {
  const current = useDensity((state) => state.density);
  return (
    <>
      <MenuTitle>{t('Density of tables')}</MenuTitle>
      {DENSITIES.map(({ density, text, Icon }) => (
        <MenuItem
          key={density}
          icon={<Icon />}
          text={text}
          labelElement={current === density ? <Tick title={t('chosen')} /> : undefined}
          onClick={() => setDensity(density)}
        />
      ))}
    </>
  );
}

function LanguageEntries() {
  const chosen = useProfile()?.Language ?? null;
  const isAway = useServerReason() !== undefined;
  const choose = (language: Language | null): void =>
    void chooseLanguage(language)
      .then(() => queryClient.invalidateQueries({ queryKey: profileQuery.queryKey }))
      .catch((error: unknown) => showError(toFailure(error).message));
  return (
    <>
      <MenuTitle>{t('Language')}</MenuTitle>
      {[...LANGUAGES, { language: null, name: t('Same as the browser') }].map(({ language, name }) => (
        <MenuItem
          key={name}
          icon={<Translate />}
          text={<span lang={language ?? undefined}>{name}</span>}
          disabled={isAway}
          labelElement={chosen === language ? <Tick title={t('chosen')} /> : undefined}
          onClick={() => choose(language)}
        />
      ))}
    </>
  );
}

/** Opens a dialog because there are too many regions for a menu. */
function RegionEntry({ onOpen }: { onOpen: () => void }) {
  const isAway = useServerReason() !== undefined;
  return <MenuItem icon={<Globe />} text={t('Region of numbers and dates…')} disabled={isAway} onClick={onOpen} />;
}

/** Blueprint's own titles are headings, which a menu must not contain. */
function MenuTitle({ children }: { children: string }) {
  return (
    <li role="presentation" className="rs-menu-title">
      {children}
    </li>
  );
}
