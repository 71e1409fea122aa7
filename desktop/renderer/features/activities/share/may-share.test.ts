import { expect, it } from 'vitest';
import { mayShare } from './may-share.ts';

it('offers sharing to people who manage rights, and to editors unless the settings reserve it', () => {
  const person = (EditorsMayShare: boolean, isManager = false) => ({
    Rights: { 'sk.ManageRights': isManager },
    EditorsMayShare,
  });
  expect([mayShare(person(true), true), mayShare(person(true), false)]).toEqual([true, false]);
  expect([mayShare(person(false), true), mayShare(person(false, true), false)]).toEqual([false, true]);
});
