import { expect, it } from 'vitest';
import { ownPath } from './own-path.ts';

it('keeps paths of the portal with their queries', () => {
  for (const path of ['/', '/activities/', '/activities/run/7/?q=1&r=%2F%2Fx', '/a?next=https://elsewhere.example/'])
    expect(ownPath(path)).toBe(path);
});

it('takes every spelling of another site for no path', () => {
  const elsewhere = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
  ];
  const sly = [
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    'evil',
    '',
    null,
    undefined,
  ];
  for (const path of [...elsewhere, ...sly]) expect(ownPath(path)).toBe('/');
  for (const path of ['/../other', '/a/%2E%2e/b', '/..', '/./x']) expect(ownPath(path)).toBe('/');
  expect(ownPath(`/${'x'.repeat(1000)}`)).toBe('/');
});
