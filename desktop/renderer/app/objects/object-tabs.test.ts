import { describe, expect, test } from 'vitest';
import { namesItsObject, objectAt } from './object-address.ts';
import { objectTabs, type TabbedObject } from './object-tabs.ts';

const ACTIVITY: TabbedObject = {
  kind: 'activity',
  id: 3,
  type: 'Workbook',
  isWorkflow: false,
  canRun: true,
  canEdit: true,
};
const CHECKLIST: TabbedObject = { ...ACTIVITY, kind: 'checklist', type: null };

const names = (object: TabbedObject, path = ''): string[] => objectTabs(object, path).tabs.map(({ name }) => name);

test.each([
  ['/activities/3/', { kind: 'activity', id: 3 }],
  ['/activities/run/3/again/7', { kind: 'activity', id: 3 }],
  ['/activities/versions/3/changes/1/2', { kind: 'activity', id: 3 }],
  ['/activities/schedule/edit/3', { kind: 'activity', id: 3 }],
  ['/workflows/edit/4/', { kind: 'checklist', id: 4 }],
  ['/checklists/runhistory/4/', { kind: 'checklist', id: 4 }],
  ['/tableviews/run/5', { kind: 'tableView', id: 5 }],
  ['/activities/', null],
  ['/activities/runhistory', null],
  ['/activities/versions/all', null],
  ['/activities/runstatus/7/', null],
  ['/activities/0/', null],
])('%s is about %o', (path, object) => {
  expect(objectAt(path)).toEqual(object);
});

describe('the tabs of an activity', () => {
  test('are all there for a user who may run and edit it', () => {
    const all = ['overview', 'run', 'runs', 'versions', 'automate', 'access', 'tests', 'settings'];
    expect(names(ACTIVITY)).toEqual(all);
  });

  test('leave out what the user may not do, and what a procedure does not have', () => {
    const shown = names({ ...ACTIVITY, type: 'StoredProcedure', canRun: false, canEdit: false });
    expect(shown).toEqual(['overview', 'runs', 'access']);
  });

  test('include the page that is shown, which says why it cannot be used', () => {
    const { tab, section } = objectTabs({ ...ACTIVITY, canEdit: false }, '/activities/triggers/3');
    expect([tab?.name, tab?.sections.length, section?.path]).toEqual(['automate', 1, '/activities/triggers/3']);
  });
});

test('a run belongs to the history of its object, and a linkage to its settings', () => {
  const { tab, section } = objectTabs(ACTIVITY, '/activities/runstatus/7/');
  expect([tab?.name, section?.path]).toEqual(['runs', '/activities/runhistory/3/']);
  expect(objectTabs(CHECKLIST, '/workflows/runstatus/7/').tab?.name).toBe('runs');
  expect(objectTabs(ACTIVITY, '/activities/linkage/edit/9').tab?.name).toBe('settings');
});

test.each([
  ['/activities/runstatus/7/', true],
  ['/workflows/runstatus/7', true],
  ['/activities/linkage/edit/9', true],
  ['/activities/runstatus', false],
  ['/activities/runcompare/7/8', false],
])('%s names its object itself: %s', (path, expected) => {
  expect(namesItsObject(path)).toBe(expected);
});

test('a workflow is edited with its own editor first, and has versions', () => {
  const { tabs } = objectTabs({ ...CHECKLIST, isWorkflow: true }, '/workflows/run/3/');
  expect(tabs.map(({ sections }) => sections[0]?.path)).toEqual([
    '/workflows/run/3/',
    '/checklists/runhistory/3/',
    '/workflows/versions/3/',
    '/checklists/schedule/edit/3',
    '/workflows/edit/3/',
  ]);
  expect(names(CHECKLIST)).toEqual(['run', 'runs', 'automate', 'settings']);
});
