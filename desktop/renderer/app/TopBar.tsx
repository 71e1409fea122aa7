import { AnchorButton, Button } from '@blueprintjs/core';
import { Help, Menu, Search } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import { pageSettings } from '#renderer/api/page-settings.ts';
import { NotificationBell } from '#renderer/features/notifications/NotificationBell.tsx';
import { t } from '#renderer/language/translate.ts';
import { openHelp, openPalette } from './palette/palette-state.ts';
import { LicenseInfo } from './LicenseInfo.tsx';
import { Logo } from './Logo.tsx';
import { UserMenu } from './UserMenu.tsx';

const { title, logo2, versionOnLogo, version, betaUrl } = pageSettings;

interface TopBarProps {
  isMenuOpen: boolean;
  onToggleMenu: () => void;
}

export function TopBar({ isMenuOpen, onToggleMenu }: TopBarProps) {
  return (
    <header className="rs-top">
      <Button
        variant="minimal"
        icon={<Menu />}
        aria-label={t('Menu')}
        aria-expanded={isMenuOpen}
        aria-controls="side-menu"
        onClick={onToggleMenu}
      />
      <HomeLink />
      <div className="rs-top-space" />
      <LicenseInfo />
      {betaUrl !== '' && <AnchorButton variant="minimal" href={betaUrl} text={t('Beta')} />}
      <Button
        variant="minimal"
        className="rs-top-search"
        icon={<Search />}
        onClick={openPalette}
        title={t('Go to an activity, page or run')}
      >
        <span className="rs-top-search-text">{t('Go to…')}</span>
        <kbd className="rs-top-search-text">Ctrl K</kbd>
      </Button>
      <Button
        variant="minimal"
        icon={<Help />}
        aria-label={t('Help for this page')}
        title={t('Help for this page')}
        onClick={openHelp}
      />
      <NotificationBell />
      <UserMenu />
    </header>
  );
}

/** The logo with a link to the activities. */
export function HomeLink() {
  return (
    <Link to="/activities/" className="rs-top-logo">
      <Logo address={logo2} />
      <span className="rs-visually-hidden">{t('{title}, go to the activities', { title })}</span>
      <span className="rs-top-name" aria-hidden="true">
        {title}
      </span>
      {versionOnLogo === 1 && version !== '' && (
        <span className="rs-top-version" aria-hidden="true">
          {version}
        </span>
      )}
    </Link>
  );
}
