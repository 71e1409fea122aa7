import { expect, test } from 'vitest';
import { policyText } from '#shared/rules/password-rules.ts';
import { createPasswordPolicy } from './password-policy.ts';
import { randomPassword } from '#server/features/users/random-password.ts';

const policy = createPasswordPolicy({ refusesGuessable: true, names: ['Runsheet', 'Acme Planning'] });
const ada = { UserName: 'ada.king', FirstName: 'Augusta', LastName: 'Lovelace' };

test.each([
  'Password1!',
  'P@ssw0rd!',
  'Qwerty123!',
  '1!Monkey22',
  'Dragon#2026',
  'Iloveyou-1',
  'L3tM31n!!',
  'Sunshine1$',
  'Football_99',
])('%s meets the rules of composition, and is refused as one that is tried first', (password) => {
  expect(policy.issue(password)).toMatch(/common and easy to guess/);
});

test.each([
  'Runsheet-1!',
  '26!Acme1',
  'Planning_01',
  'Lovelace#1',
  'Augusta-26',
  'K1ng.0x!',
  'AcmePlanning#1',
  'AugustaLovelace1!',
  'L0velace-Runsheet26',
])('%s is refused as names of the portal or of the person with little more', (password) => {
  expect(policy.issue(password, ada)).toMatch(/too similar to the name of the user or of the portal/);
});

test('a common password beside a name is refused, too', () => {
  expect(policy.issue('AcmePassword1!', ada)).toMatch(/common and easy to guess/);
});

test('long and random passwords are taken, also those that hold such a word among others', () => {
  const fine = ['Correct-Horse-7', 'monkeys climb 9 Trees!', 'Lovelace wrote 1 program!', 'xK4#vT9-pLq2'];
  expect(fine.map((password) => policy.issue(password, ada))).toEqual([null, null, null, null]);
  expect(Array.from({ length: 200 }, randomPassword).filter((password) => policy.issue(password) !== null)).toEqual([]);
});

test('unless the settings say so, what the rules of composition take is taken', () => {
  expect(createPasswordPolicy({ names: ['Runsheet'] }).issue('Password1!', ada)).toBeNull();
  expect(createPasswordPolicy({ names: ['Runsheet'] }).issue('Runsheet1!', ada)).toBeNull();
});

test('the limits are those of the settings', () => {
  const long = createPasswordPolicy({ limits: { minimum: 15, maximum: 64 } });
  expect(long.issue('Correct-Horse-7')).toBeNull();
  expect(long.issue('Correct-Hors-7')).toBe(policyText(15));
  expect(long.issue(`Correct-Horse-7${'x'.repeat(49)}`)).toBeNull();
  expect(long.issue(`Correct-Horse-7${'x'.repeat(50)}`)).toBe('Password too long');
});
