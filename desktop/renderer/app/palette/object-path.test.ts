import { expect, test } from 'vitest';
import { isLasting, objectPath } from './object-path.ts';

test.each([
  ['/activities/12/', '/activities/12/'],
  ['/activities/run/12/again/7', '/activities/12/'],
  ['/activities/runhistory/12', '/activities/12/'],
  ['/activities/runstatus/12/', '/activities/runstatus/12'],
  ['/workflows/edit/3/', '/checklists/3/'],
  ['/checklists/run/3', '/checklists/3/'],
  ['/tableviews/run/4', '/tableviews/run/4'],
  ['/dashboards/edit/5', '/dashboards/5'],
  ['/users/', '/users'],
])('%s is about %s', (path, expected) => {
  expect(objectPath(path)).toBe(expected);
});

test.each([
  ['/activities/', true],
  ['/activities/versions/all', true],
  ['/activities/run/12', true],
  ['/activities/runstatus/12/', false],
  ['/edituser/4/', false],
  ['/roles/Auditors', false],
])('%s is come back to: %s', (path, expected) => {
  expect(isLasting(path)).toBe(expected);
});
