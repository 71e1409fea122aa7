import { describe, expect, it } from 'vitest';
import {
  activityNameIssue,
  activitySubmitIssue,
  parseMemoryCost,
  parseOrder,
  type ActivitySubmission,
} from './activity-rules.ts';
import { passwordIssue, policyText } from './password-rules.ts';
import { liveNameIssue, livePasswordIssue, signInNameIssue, signInPasswordIssue } from './sign-in-rules.ts';

describe('an activity that is submitted', () => {
  const good: ActivitySubmission = {
    Id: 0,
    Name: 'Loan schedule',
    Order: null,
    Type: 'Workbook',
    ProcedureName: null,
    HasFile: true,
    ChangeDescription: '',
  };
  it.each([
    [{}, null],
    [{ Name: ' ', Order: undefined }, 'Please correct the errors shown above'],
    [{ Name: 'a/b' }, 'Please correct the errors shown above'],
    [{ Order: undefined, HasFile: false }, 'Order must be a number'],
    [{ Type: 'StoredProcedure' as const }, 'Select stored procedure'],
    [{ HasFile: false }, 'File must be uploaded'],
    [{ Id: 3 }, 'ChangeDescription must be provided'],
    [{ Id: 3, HasFile: false }, null],
  ])('%o says %s', (change, message) => {
    expect(activitySubmitIssue({ ...good, ...change })).toBe(message);
  });

  it('names what is wrong with a name', () => {
    expect(activityNameIssue('')).toBe('Name must be provided');
    expect(activityNameIssue('a|b')).toBe('Name must not contain special characters');
    expect(activityNameIssue('x'.repeat(31))).toMatch(/30/);
  });

  it('reads order and memory cost as typed', () => {
    expect([parseOrder(''), parseOrder('2.6'), parseOrder('x')]).toEqual([null, 3, undefined]);
    expect([parseMemoryCost('1.5'), parseMemoryCost('x'), parseMemoryCost('-1')]).toEqual([1.5, 0, 0]);
  });
});

describe('signing in', () => {
  it('wants a name and a password it can send', () => {
    expect(signInNameIssue(' ')).toBe('Please enter your user name');
    expect(signInNameIssue('a<b')).toBe('User name contains disallowed characters');
    expect(signInNameIssue('anna')).toBeNull();
    expect(signInPasswordIssue('')).toBe('Please enter your password');
    expect(liveNameIssue('x'.repeat(51))).toBe('Username too long');
    expect(liveNameIssue('a?b')).toBe('Username must not contain special characters');
    expect(livePasswordIssue('x'.repeat(51))).toBe('Password too long');
  });

  it.each(['Short1!', 'nouppercase1!', 'NOLOWERCASE1!', 'NoNumber!!', 'NoSpecial11'])(
    'refuses %s as a new password',
    (password) => {
      expect(passwordIssue(password)).toBe(policyText(8));
    },
  );

  it('takes a password that meets the policy', () => {
    expect(passwordIssue('Correct-Horse-9')).toBeNull();
    expect(passwordIssue(`Aa1!${'x'.repeat(50)}`)).toBe('Password too long');
    expect(passwordIssue(`Aa1!${'x'.repeat(60)}`, { minimum: 15, maximum: 64 })).toBeNull();
    expect(passwordIssue('Correct-Horse-9', { minimum: 16, maximum: 64 })).toBe(policyText(16));
    const plain = { minimum: 15, maximum: 64, composition: false };
    expect(passwordIssue('correct horse battery', plain)).toBeNull();
    expect(passwordIssue('correct horse', plain)).toBe('Password must be at least 15 characters');
    expect(passwordIssue(`Aa1!${'界'.repeat(63)}`, { minimum: 8, maximum: 100 })).toBe('Password too long');
  });
});
