import { expect, test } from 'vitest';
import { MAX_HEIGHT, readPluginRequest } from './plugin-messages.ts';

test('messages of the API are read, and cut to what can be shown', () => {
  expect(readPluginRequest({ type: 'runsheet.hello', more: 1 })).toEqual({ type: 'runsheet.hello' });
  expect(readPluginRequest({ type: 'runsheet.title', title: ' Rates ' })).toEqual({
    type: 'runsheet.title',
    title: 'Rates',
  });
  expect(readPluginRequest({ type: 'runsheet.message', text: 'x'.repeat(1000) })).toMatchObject({
    text: 'x'.repeat(300),
  });
  expect(readPluginRequest({ type: 'runsheet.height', height: 1e9 })).toMatchObject({ height: MAX_HEIGHT });
  expect(readPluginRequest({ type: 'runsheet.open', path: '/activities/' })).toMatchObject({ path: '/activities/' });
});

test.each([
  null,
  'runsheet.hello',
  {},
  { type: 'other' },
  { type: 'runsheet.title' },
  { type: 'runsheet.title', title: '  ' },
  { type: 'runsheet.height', height: '100' },
  { type: 'runsheet.height', height: Number.NaN },
  { type: 'runsheet.open', path: 7 },
  { type: 'runsheet.open', path: '/'.repeat(2000) },
])('anything else is not: %j', (data) => {
  expect(readPluginRequest(data)).toBeNull();
});
