/** Decides who may see, change and share a dashboard. A dashboard grants no rights to what its tiles show. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { findDashboard, findShare, type DashboardRow, type Reader } from './dashboards-repository.ts';

export interface VisibleDashboard {
  dashboard: DashboardRow;
  CanEdit: boolean;
  /** True if the person may share and delete the dashboard. */
  CanShare: boolean;
}

export interface DashboardAccess {
  /** Throws an AppError 404 if there is no such dashboard or the person does not see it. */
  require(db: Db, person: Person, id: number): Promise<VisibleDashboard>;
  /** Like `require`. Also throws an AppError 403 if the person may not change the dashboard. */
  requireEdit(db: Db, person: Person, id: number): Promise<VisibleDashboard>;
  /** Like `require`. Also throws an AppError 403 if the person may not share the dashboard. */
  requireShare(db: Db, person: Person, id: number): Promise<VisibleDashboard>;
  readerOf(person: Person): Promise<Reader>;
}

const dashboardNotFound = (): AppError =>
  new AppError('dashboardNotFound', 404, 'There is no such dashboard, or it is not shared with you');

/** User administrators manage all dashboards, including those of people who have left. */
export const seesAll = ({ IsUserAdmin, fromInternet, keyScope, keyActivities }: Person): boolean =>
  IsUserAdmin && !fromInternet && keyScope === undefined && keyActivities === undefined;

export function createDashboardAccess(rights: Pick<RightsService, 'rolesOf'>): DashboardAccess {
  const readerOf = async (person: Person): Promise<Reader> => ({
    userId: person.UserId,
    roles: await rights.rolesOf(person),
  });

  async function require(db: Db, person: Person, id: number): Promise<VisibleDashboard> {
    const dashboard = await findDashboard(db, id);
    if (!dashboard) throw dashboardNotFound();
    const CanShare = dashboard.UserId === person.UserId || seesAll(person);
    if (CanShare) return { dashboard, CanEdit: true, CanShare };
    const share = await findShare(db, id, await readerOf(person));
    if (!share) throw dashboardNotFound();
    return { dashboard, CanEdit: share.CanEdit, CanShare };
  }

  async function requireThat(of: Promise<VisibleDashboard>, may: 'CanEdit' | 'CanShare'): Promise<VisibleDashboard> {
    const visible = await of;
    if (!visible[may]) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
    return visible;
  }

  return {
    require,
    requireEdit: (db, person, id) => requireThat(require(db, person, id), 'CanEdit'),
    requireShare: (db, person, id) => requireThat(require(db, person, id), 'CanShare'),
    readerOf,
  };
}
