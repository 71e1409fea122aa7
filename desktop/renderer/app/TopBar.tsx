import { Button } from '@blueprintjs/core';
import { Menu, Search } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import { NotificationBell } from '#renderer/features/notifications/NotificationBell.tsx';
import { openPalette } from './CommandPaletteHost.tsx';
import { LicenseInfo } from './LicenseInfo.tsx';
import { Logo } from './Logo.tsx';
import { UserMenu } from './UserMenu.tsx';

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
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        aria-controls="side-menu"
        onClick={onToggleMenu}
      />
      <Link to="/activities/" className="rs-top-logo" aria-label="Runsheet, to the activities">
        <Logo />
        <span className="rs-top-name">Runsheet</span>
      </Link>
      <div className="rs-top-space" />
      <LicenseInfo />
      <Button
        variant="minimal"
        className="rs-top-search"
        icon={<Search />}
        onClick={openPalette}
        title="Go to an activity or page"
      >
        <span className="rs-top-search-text">Go to…</span>
        <kbd className="rs-top-search-text">Ctrl K</kbd>
      </Button>
      <NotificationBell />
      <UserMenu />
    </header>
  );
}
