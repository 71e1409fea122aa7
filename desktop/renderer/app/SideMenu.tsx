import { NavLink } from 'react-router-dom';
import { PageIcon } from './page-icons.tsx';
import type { PortalPage } from './pages.ts';
import { usePages } from './use-pages.ts';

export function SideMenu() {
  const pages = usePages().filter((page) => !page.isForLocalUsers);
  const security = pages.filter((page) => page.group === 'Security');
  return (
    <nav id="side-menu" className="rs-side" aria-label="Main">
      <PageList pages={pages.filter((page) => page.group === undefined)} />
      {security.length > 0 && (
        <>
          <h2 id="side-menu-security">Security</h2>
          <PageList pages={security} labelledBy="side-menu-security" />
        </>
      )}
    </nav>
  );
}

function PageList({ pages, labelledBy }: { pages: readonly PortalPage[]; labelledBy?: string }) {
  return (
    <ul aria-labelledby={labelledBy}>
      {pages.map((page) => (
        <li key={page.path} className={page.isNested ? 'rs-side-nested' : undefined}>
          <NavLink to={page.path} end className={({ isActive }) => (isActive ? 'rs-side-on' : '')}>
            <PageIcon icon={page.icon} />
            <span>{page.title}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
