import { describe, expect, it } from 'vitest';
import type { LogEntry } from '#shared/contract/run-status.ts';
import { openQuestion, secondsLeft, timeLeftText } from './prompt-view.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const entry = (Id: number, prompt?: LogEntry['prompt']): LogEntry => ({
  Id,
  ActivityRunId: 1,
  Message: `Question ${Id}`,
  displayMessage: `Question ${Id}`,
  StatusCode: 0,
  Category: 1,
  Time: '2026-11-21T11:59:00Z',
  ...(prompt ? { prompt } : {}),
});

const asks = (Id: number, expiry: string): LogEntry => entry(Id, { key: `k${Id}`, expiry, type: 'Text' });

describe('the question of a run', () => {
  it('is the newest that is neither answered nor expired', () => {
    const entries = [asks(1, '2026-11-21T12:05:00Z'), asks(2, '2026-11-21T12:01:00Z'), entry(3)];
    expect(openQuestion(entries, new Set(), NOW)).toMatchObject({ key: 'k2', message: 'Question 2' });
    expect(openQuestion(entries, new Set(['k2']), NOW)).toMatchObject({ key: 'k1' });
    expect(openQuestion(entries, new Set(['k2']), NOW + 300_000)).toBeNull();
    expect(openQuestion([entry(3)], new Set(), NOW)).toBeNull();
  });

  it('says how long it may be answered', () => {
    expect(secondsLeft({ expiry: '2026-11-21T12:01:05Z' }, NOW)).toBe(65);
    expect(secondsLeft({ expiry: '2026-11-21T11:00:00Z' }, NOW)).toBe(0);
    expect(timeLeftText(65)).toBe('1:05');
    expect(timeLeftText(7384)).toBe('2:03:04');
  });
});
