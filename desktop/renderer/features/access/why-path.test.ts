import { expect, test } from 'vitest';
import { whyPath } from './why-path.ts';

test.each([
  ['/activities/3/', '/accessReasons?activity=3'],
  ['/activities/edit/3', '/accessReasons?activity=3'],
  ['/activities/runstatus/3/', '/accessReasons'],
  ['/edituser/7/', '/accessReasons?user=7'],
  ['/seeas/7/', '/accessReasons?user=7'],
  ['/users/', '/accessReasons'],
])('on %s, the palette explains %s', (pathname, path) => {
  expect(whyPath(pathname)).toBe(path);
});
