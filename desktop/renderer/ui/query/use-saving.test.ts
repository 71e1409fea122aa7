import { expect, test } from 'vitest';
import { headlineOf, withoutFields } from './use-saving.ts';

const refused = {
  isSaving: false,
  isDone: false,
  failure: 'TimeZone must not be empty',
  modelState: { TimeZone: ['must not be empty'] },
};

test("the server's message about a field disappears once the field changes, and is no headline while it is shown there", () => {
  expect(headlineOf(refused)).toBeNull();
  expect(headlineOf({ ...refused, modelState: {} })).toBe('TimeZone must not be empty');
  expect(withoutFields(refused, ['Name'])).toBe(refused);
  expect(withoutFields(refused, ['TimeZone'])).toMatchObject({ failure: null, modelState: {} });
});
