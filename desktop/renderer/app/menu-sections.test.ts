import { describe, expect, test } from 'vitest';
import { menuSections, pageAt, sectionAt } from './menu-sections.ts';
import { ABOUT } from './administration-texts.ts';
import { PAGES } from './pages.ts';
import { ADMINISTRATION_GROUPS } from './portal-page.ts';

describe('the side menu', () => {
  test('has seven entries for a user who may open every page', () => {
    const titles = menuSections(PAGES).map(({ title }) => title);
    expect(titles).toEqual(['Activities', 'Runs', 'Automation', 'Dashboards', 'Data', 'New', 'Administration']);
  });

  test('leaves out entries of which the user may open nothing', () => {
    const names = menuSections(PAGES.filter(({ section }) => section === 'activities')).map(({ name }) => name);
    expect(names).toEqual(['activities']);
  });

  test('puts every page of Administration into one of its groups', () => {
    const pages = PAGES.filter(({ section, path }) => section === 'administration' && path !== '/administration');
    expect(pages.filter(({ group }) => group === undefined)).toEqual([]);
    expect(pages.filter(({ path }) => ABOUT[path] === undefined)).toEqual([]);
    expect(new Set(pages.map(({ group }) => group))).toEqual(new Set(ADMINISTRATION_GROUPS));
  });
});

test.each([
  ['/activities/', 'activities'],
  ['/activities/12/', 'activities'],
  ['/activities/new/', 'activities'],
  ['/activities/runhistory', 'runs'],
  ['/activities/runhistory/12', 'activities'],
  ['/activities/runstatus/7/', 'runs'],
  ['/workflows/runstatus/7/', 'runs'],
  ['/approvals/3', 'runs'],
  ['/webhooks/new', 'automation'],
  ['/tableviews/run/1', 'data'],
  ['/dashboards/1', 'dashboards'],
  ['/activities/versions/all', 'administration'],
  ['/activities/versions/12', 'activities'],
  ['/edituser/1/', 'administration'],
  ['/sessions', undefined],
])('%s belongs to the entry %s', (path, section) => {
  expect(sectionAt(PAGES, path)).toBe(section);
});

test('a page below a listed one is part of it', () => {
  expect(pageAt(PAGES, '/rights/assign/sk.RunActivity/')?.path).toBe('/rights/');
});
