import { afterEach, describe, expect, it } from 'vitest';
import { speak } from '#renderer/language/translate.ts';
import german from '#renderer/language/de/rest.json' with { type: 'json' };
import { proposalReason } from './proposal-reason.ts';

describe('the reason of a proposal', () => {
  afterEach(() => speak('en', {}));

  it('says what speaks for the cell, who reads it and which label names it', () => {
    const reason = { code: 'validation', readers: 12, label: 'Interest rate', labelAt: 'left' } as const;
    expect(proposalReason({ Role: 'Input', Reason: reason }, false)).toBe(
      'A data validation restricts what can be entered. 12 formulas read it. The label on the left says “Interest rate”.',
    );
  });

  it('leaves out who reads a result', () => {
    const reason = { code: 'resultWord', readers: 2, label: 'Total', labelAt: 'above' } as const;
    expect(proposalReason({ Role: 'Output', Reason: reason }, false)).toBe(
      'Its label names a result. The text above says “Total”.',
    );
  });

  it('names the side on which the label stands on a right-to-left sheet', () => {
    const sentence = (labelAt: 'left' | 'right') =>
      proposalReason({ Role: 'Output', Reason: { code: 'notRead', label: 'الإجمالي', labelAt } }, true);
    expect(sentence('left')).toBe('No other formula reads this result. The label on the right says “الإجمالي”.');
    expect(sentence('right')).toBe('No other formula reads this result. The text on the left says “الإجمالي”.');
  });

  it('speaks German', () => {
    speak('de', german);
    const reason = { code: 'readByFormulas', readers: 1, label: 'Zinssatz', labelAt: 'left' } as const;
    expect(proposalReason({ Role: 'Input', Reason: reason }, false)).toBe(
      '1 Formel liest den Wert. Links daneben steht „Zinssatz“.',
    );
  });
});
