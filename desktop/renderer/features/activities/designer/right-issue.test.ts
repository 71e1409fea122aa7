import { describe, expect, it } from 'vitest';
import { rightIssue, suggestedRights } from './right-issue.ts';

const rights = ['sk.EditActivity', 'Finance.Rates'].map((Name) => ({ Name, Description: '' }));

describe('the right that an input requires', () => {
  it('is one that exists, or none', () => {
    for (const name of ['', ' ', 'Finance.Rates', ' sk.EditActivity ']) expect(rightIssue(name, rights)).toBeNull();
  });

  it('is refused with its real name if only the case differs', () => {
    expect(rightIssue('finance.rates', rights)).toContain('is named Finance.Rates');
  });

  it('is refused if nobody can hold it', () => {
    expect(rightIssue('Finance.Rate', rights)).toContain('There is no right Finance.Rate');
    expect(rightIssue('Finance, Sales', [])).toContain('There is no right Finance, Sales');
  });

  it('is not checked if the server does not tell which rights exist', () => {
    expect(rightIssue('Finance.Rate', undefined)).toBeNull();
  });

  it('is suggested from those of this portal first', () => {
    expect(suggestedRights(rights)).toEqual(['Finance.Rates', 'sk.EditActivity']);
    expect(suggestedRights(undefined)).toEqual([]);
  });
});
