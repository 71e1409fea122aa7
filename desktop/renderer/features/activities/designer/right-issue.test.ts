import { describe, expect, it } from 'vitest';
import { mayBeHidden, rightIssue, suggestedRights } from './right-issue.ts';

const list = ['sk.EditActivity', 'Finance.Rates'].map((Name) => ({ Name, Description: '' }));
const all = { list, isComplete: true };
const some = { list, isComplete: false };

describe('the right that an input requires', () => {
  it('is one that exists, or none', () => {
    for (const name of ['', ' ', 'Finance.Rates', ' sk.EditActivity ']) expect(rightIssue(name, all)).toBeNull();
  });

  it('is refused with its real name if only the case differs', () => {
    for (const rights of [all, some]) expect(rightIssue('finance.rates', rights)).toContain('is named Finance.Rates');
  });

  it('is refused if nobody can hold it', () => {
    expect(rightIssue('Finance.Rate', all)).toContain('There is no right Finance.Rate');
    expect(rightIssue('Finance, Sales', { list: [], isComplete: true })).toContain('There is no right Finance, Sales');
  });

  it('is not checked if the server does not say which rights exist', () => {
    expect(rightIssue('Finance.Rate', undefined)).toBeNull();
    expect(mayBeHidden('Finance.Rate', undefined)).toBe(false);
  });

  it('may be one that the author may not see, unless no right can have such a name', () => {
    expect(rightIssue('Merger.Prices', some)).toBeNull();
    expect(mayBeHidden(' Merger.Prices ', some)).toBe(true);
    expect(mayBeHidden('Merger.Prices', all)).toBe(false);
    for (const name of ['', 'Finance.Rates', 'sk.EditActivity']) expect(mayBeHidden(name, some)).toBe(false);
    for (const name of ['sk.EditActivities', 'Finance, Sales'])
      expect(rightIssue(name, some)).toContain(`There is no right ${name}`);
  });

  it('is suggested from those of this portal first', () => {
    expect(suggestedRights(all)).toEqual(['Finance.Rates', 'sk.EditActivity']);
    expect(suggestedRights(undefined)).toEqual([]);
  });
});
