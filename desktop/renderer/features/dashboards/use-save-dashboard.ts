import { useState } from 'react';
import {
  dashboardData,
  dashboardDetails,
  dashboardList,
  saveDashboard,
  type Dashboard,
} from '#shared/contract/dashboards.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import { createDashboardSender, type DashboardDraft } from './send-dashboard.ts';

export interface SaveDashboard {
  isSaving: boolean;
  /** The current dashboard, if someone else saved it in the meantime; else null. */
  newer: Dashboard | null;
  /**
   * Saves the draft. If `newer` is set, it overwrites the other person's version. Resolves with true if it is saved.
   */
  save: (draft: DashboardDraft) => Promise<boolean>;
}

const CONFLICT = 409;

/** Saves a dashboard. On a conflict, the user's arrangement stays as it is. */
export function useSaveDashboard(opened: Dashboard): SaveDashboard {
  const { Id, Revision } = opened;
  const [send] = useState(() =>
    createDashboardSender(opened, {
      save: (revision, draft) => call(saveDashboard, { body: { Id, Revision: revision, ...draft } }),
      read: () => call(dashboardDetails, { params: { id: Id } }),
    }),
  );
  const [isSaving, setSaving] = useState(false);
  const [newer, setNewer] = useState<Dashboard | null>(null);
  const save: SaveDashboard['save'] = async (draft) => {
    setSaving(true);
    try {
      await send(newer?.Revision ?? Revision, draft);
      showSuccess(t('Dashboard saved'));
      await refreshDashboards();
      return true;
    } catch (error) {
      const { message, status } = toFailure(error);
      const found = status === CONFLICT ? await newestOf(Id) : null;
      setNewer((before) => found ?? before);
      // On a conflict, the page itself offers what to do.
      if (!found) showError(message);
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, newer, save };
}

/** Returns null if it cannot be fetched; the user's arrangement is still there. */
const newestOf = (id: number): Promise<Dashboard | null> =>
  call(dashboardDetails, { params: { id } }).catch(() => null);

const TOUCHED = [dashboardDetails, dashboardData, dashboardList] as const;

async function refreshDashboards(): Promise<void> {
  // The page of the dashboard must not begin with the tiles before this change.
  queryClient.removeQueries({ queryKey: keyOf(dashboardDetails), type: 'inactive' });
  await Promise.all(TOUCHED.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })));
}
