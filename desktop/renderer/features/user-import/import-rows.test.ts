import { expect, test } from 'vitest';
import { textAfter, type ImportRow } from './import-rows.ts';

const user = { UserId: null, UserName: 'ann', FirstName: 'Ann', MiddleName: '', LastName: '', Email: '', Roles: [] };
const outcome = { UserName: 'ann', Email: '', UserId: 7, IsCreated: true, IsMailed: false, SetPasswordPath: null };
const added: ImportRow = { user, outcome: { ...outcome, Roles: [], Problems: [] }, isUncertain: false };

test('the list stays for another preview if the import stopped before its end', () => {
  expect(textAfter([added, { user, outcome: null, isUncertain: true }], 'ann\nbob')).toBe('ann\nbob');
  expect(textAfter([added, { user, outcome: null, isUncertain: false }], 'ann\nbob')).toBe('ann\nbob');
  expect(textAfter([added], 'ann')).toBe('');
});
