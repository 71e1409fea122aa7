import { expect, test } from 'vitest';
import { seenUser } from './seen-user.ts';

const flags = { IsUserAdmin: false, SecondFactorRequired: false, DisableInputDownload: false };
const opened = { UserName: 'ann', FirstName: 'Ann', MiddleName: '', LastName: 'Lee', Email: 'a@x.test', ...flags };

test('after a conflict, only what the person typed may overwrite the change of somebody else', () => {
  const present = { ...opened, LastName: 'Smith', Email: 'smith@x.test', SecondFactorRequired: true };
  expect(seenUser(opened, present, { ...opened, LastName: 'Lee-Smith' })).toEqual({ ...opened, LastName: 'Smith' });
});
