import type { RightName } from '#shared/contract/rights.ts';
import { ADMINISTRATION_PATH, PAGES } from './pages.ts';
import type { PortalPage } from './portal-page.ts';

/** What decides which pages a user may open. */
export interface PageViewer {
  holds: (right: RightName) => boolean;
  isUserAdmin: boolean;
  /** True if the user signs in with a password of the portal. */
  isLocal: boolean;
  /** True if the user ever had an approval to decide. */
  hasApprovals: boolean;
  /** True if starts can wait on the user's computer. */
  hasOutbox: boolean;
}

/** Returns the portal's own pages that a user may open. Pages without a section are only in the command palette. */
export function pagesFor({ holds, isUserAdmin, isLocal, hasApprovals, hasOutbox }: PageViewer): PortalPage[] {
  const holdsOne = (rights: readonly RightName[]): boolean => rights.some(holds);
  const holdsMenuRight = (page: PortalPage): boolean => page.menuRight === undefined || holdsOne(page.menuRight);
  const own = PAGES.filter((page) => {
    if (page.right !== undefined && !holdsOne([page.right].flat())) return false;
    if (page.isOfOutbox && !hasOutbox) return false;
    if (page.isForApprovers && !hasApprovals) return false;
    if (page.isForUserAdmins && !isUserAdmin) return false;
    return !page.isForLocalUsers || isLocal;
  });
  const isAdministered = own.some((page) => page.group !== undefined && holdsMenuRight(page));
  return own
    .filter((page) => isAdministered || page.path !== ADMINISTRATION_PATH)
    .map((page) => (holdsMenuRight(page) ? page : { ...page, section: undefined, group: undefined }));
}
