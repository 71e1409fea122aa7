import { NavLink } from 'react-router-dom';
import { PageIcon } from './page-icons.tsx';
import { usePages } from './use-pages.ts';

export function SideMenu() {
  const pages = usePages().filter((page) => !page.isForLocalUsers);
  return (
    <nav id="side-menu" className="rs-side" aria-label="Main">
      <ul>
        {pages.map((page) => (
          <li key={page.path}>
            <NavLink to={page.path} end className={({ isActive }) => (isActive ? 'rs-side-on' : '')}>
              <PageIcon icon={page.icon} />
              <span>{page.title}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
