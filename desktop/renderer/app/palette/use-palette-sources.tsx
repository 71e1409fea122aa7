import { Application, Flows, HeatGrid, Play, Properties, ThList, Time, User, People } from '@blueprintjs/icons';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { listActivities } from '#shared/contract/activities.ts';
import { dashboardList } from '#shared/contract/dashboards.ts';
import { checklistStatus } from '#shared/contract/checklist-runs.ts';
import { listRoles } from '#shared/contract/roles.ts';
import { runState } from '#shared/contract/runs.ts';
import { listTableViews } from '#shared/contract/tableviews.ts';
import { listUsers } from '#shared/contract/users.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { WHY_PATH, whyPath } from '#renderer/features/access/why-path.ts';
import { runPath, runStatusPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { t } from '#renderer/language/translate.ts';
import { statusText } from '#renderer/ui/StatusTag.tsx';
import { PageIcon } from '../page-icons.tsx';
import { useRight } from '../profile.ts';
import { useSession } from '../session.ts';
import { usePages } from '../use-pages.ts';
import type { PaletteItem, PaletteSources } from './palette-items.ts';
import { pageActions } from './page-actions.ts';
import { objectPath } from './object-path.ts';
import { recentPaths } from './recent-paths.ts';
import { runNumber } from './run-number.ts';

const FRESH = 60_000;
/** Maximum number of users found by the words of the query. */
const PEOPLE_SHOWN = 8;

interface Palette {
  sources: PaletteSources;
  /** Sources that could not be fetched; without a message, their items would seem not to exist. */
  failed: readonly AskedFor[];
}

type AskedFor = Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>;

interface Asked {
  items: PaletteItem[];
  queries: readonly AskedFor[];
}

/**
 * Returns everything that the palette may show for a query, limited to what the user may see. @param more actions
 * available on every page
 */
export function usePaletteSources(query: string, more: readonly PaletteItem[]): Palette {
  const userName = useSession(({ session }) => session?.userName ?? '');
  const pages = usePages();
  const things = useThings();
  const people = usePeople(query);
  const found = [...useRuns(query), ...people.items];
  const failed = [...things.queries, ...people.queries].filter(
    ({ data, error }) => error !== null && data === undefined,
  );
  // State of the page when the palette was opened.
  const { pathname } = useLocation();
  const [opened] = useState(() => {
    const here = objectPath(pathname);
    return { actions: pageActions(), recent: recentPaths(userName).filter((path) => path !== here) };
  });
  const actions = opened.actions.map(({ text, icon, to, onSelect }, index): PaletteItem => ({
    key: `action ${index}`,
    text,
    label: t('This page'),
    icon: icon ?? <Application />,
    ...(typeof to === 'string' ? { to } : { act: onSelect }),
  }));
  const pageItems = pages.map(({ title, path, icon }): PaletteItem => ({
    key: path,
    text: title,
    label: t('Page'),
    to: path === WHY_PATH ? whyPath(pathname) : path,
    icon: <PageIcon icon={icon} />,
    path: objectPath(path),
  }));
  const sources = {
    actions: [...actions, ...more],
    pages: pageItems,
    things: things.items,
    found,
    recent: opened.recent,
  };
  return { sources, failed };
}

const FIRST_DASHBOARDS = { Search: '', After: null };

/** Returns activities, checklists, workflows, table views and dashboards. */
function useThings(): Asked {
  const lists = useQuery({ ...queryOf(listActivities), staleTime: FRESH });
  const mayView = useRight('sk.ViewTable') === true;
  const tableViews = useQuery({ ...queryOf(listTableViews), staleTime: FRESH, enabled: mayView });
  const firstDashboards = useQuery({ ...queryOf(dashboardList, { body: FIRST_DASHBOARDS }), staleTime: FRESH });
  const [listed, views, boards] = [lists.data, tableViews.data, firstDashboards.data];
  const items = useMemo(() => {
    const checklists = (listed?.Checklists ?? []).map(({ Id, Name, IsWorkflow, CanRun }): PaletteItem => {
      const form = runPath(Id, IsWorkflow);
      return {
        key: `checklist ${Id}`,
        text: Name,
        label: IsWorkflow ? t('Workflow') : t('Checklist'),
        icon: IsWorkflow ? <Flows /> : <Properties />,
        to: CanRun ? form : `/checklists/runhistory/${Id}/`,
        ...(CanRun ? { runPath: form } : {}),
        path: `/checklists/${Id}/`,
      };
    });
    const activities = (listed?.Activities ?? []).map(({ Id, Name, CanRun }): PaletteItem => {
      const to = `/activities/${Id}/`;
      const form = CanRun ? { runPath: `/activities/run/${Id}/` } : {};
      return { key: `activity ${Id}`, text: Name, label: t('Activity'), icon: <Play />, to, path: to, ...form };
    });
    const tables = (views?.Items ?? []).map(({ Id, ViewName, TableName }): PaletteItem => {
      const to = `/tableviews/run/${Id}`;
      const text = t('{viewName} on {tableName}', { viewName: ViewName, tableName: TableName });
      return { key: `view ${Id}`, text, label: t('Table view'), icon: <ThList />, to, path: to };
    });
    const dashboards = (boards?.Items ?? []).map(({ Id, Name }): PaletteItem => {
      const to = `/dashboards/${Id}`;
      return { key: `dashboard ${Id}`, text: Name, label: t('Dashboard'), icon: <HeatGrid />, to, path: to };
    });
    return [...checklists, ...activities, ...tables, ...dashboards];
  }, [listed, views, boards]);
  return { items, queries: [lists, tableViews, firstDashboards] };
}

/** Returns runs of activities and checklists by id, if they exist and the user may see them. */
function useRuns(query: string): PaletteItem[] {
  const number = runNumber(query, t('Run {id}', { id: '' }));
  const asked = { enabled: number > 0, staleTime: FRESH, retry: false };
  const ofActivity = useQuery({ ...queryOf(runState, { params: { id: number }, body: [], polls: true }), ...asked });
  const params = { kind: 'checklist' as const, runId: number };
  const ofChecklist = useQuery({ ...queryOf(checklistStatus, { params, polls: true }), ...asked });
  if (number === 0) return [];
  const items: PaletteItem[] = [];
  if (ofActivity.data) {
    const label = statusText(ofActivity.data.Status);
    items.push({
      key: 'run',
      text: t('Run {number}', { number }),
      label,
      icon: <Time />,
      to: `/activities/runstatus/${number}/`,
    });
  }
  const checklist = ofChecklist.data?.Checklist;
  if (checklist) {
    const to = runStatusPath(number, false);
    items.push({
      key: 'chain',
      text: t('Run {number} of {name}', { number, name: checklist.Name }),
      label: t('Checklist run'),
      icon: <Time />,
      to,
    });
  }
  return items;
}

/** Returns users by the words of the query, searched by the server, and roles. */
function usePeople(query: string): Asked {
  const managesUsers = useRight('sk.ManageUsers') === true;
  const managesPasswords = useRight('sk.ManageUserPasswords') === true;
  const managesRoles = useRight('sk.ManageRoles') === true;
  const Search = query.trim().slice(0, 100);
  const isAsked = Search.length > 1;
  const foundUsers = useQuery({
    ...queryOf(listUsers, { query: { Search, Take: PEOPLE_SHOWN }, polls: true }),
    enabled: isAsked && (managesUsers || managesPasswords),
    staleTime: FRESH,
  });
  const allRoles = useQuery({ ...queryOf(listRoles), enabled: isAsked && managesRoles, staleTime: FRESH });
  if (!isAsked) return { items: [], queries: [] };
  const found = (foundUsers.data?.Items ?? []).map(({ UserId, UserName, FirstName, LastName }): PaletteItem => {
    const name = `${FirstName} ${LastName}`.trim();
    return {
      key: `user ${UserId}`,
      text: name === '' || name === UserName ? UserName : `${name} (${UserName})`,
      label: t('User'),
      icon: <User />,
      to: managesUsers ? `/edituser/${UserId}/` : `/users/?search=${encodeURIComponent(UserName)}`,
    };
  });
  const named = (allRoles.data?.Items ?? []).filter(({ Name }) => Name.toLowerCase().includes(Search.toLowerCase()));
  const ofRoles = named.slice(0, PEOPLE_SHOWN).map(({ Name }): PaletteItem => ({
    key: `role ${Name}`,
    text: Name,
    label: t('Role'),
    icon: <People />,
    to: `/roles/${encodeURIComponent(Name)}/`,
  }));
  return { items: [...found, ...ofRoles], queries: [foundUsers, allRoles] };
}
