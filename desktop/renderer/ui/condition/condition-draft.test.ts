import { describe, expect, it } from 'vitest';
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { changeNode, draftOf, newComparison, newGroup, textOfDraft, type DraftComparison } from './condition-draft.ts';

const COLUMNS: ConditionColumn[] = [
  { Name: 'Region', Kind: 'Text' },
  { Name: 'Order date', Kind: 'Date' },
  { Name: 'Amount', Kind: 'Number' },
  { Name: 'Paid', Kind: 'Boolean' },
];

describe('the condition editor', () => {
  it.each([
    "Region = 'North'",
    "Region = 'O''Hara' AND Amount >= -1.5",
    "NOT (Region = 'a' OR [Order date] < '2026-01-05')",
    "Region IN ('a', 'b') OR (Amount NOT IN (1, 2) AND NOT (Paid = TRUE))",
    "NOT (NOT (Region = ''))",
    '',
  ])('gives back %s', (text) => {
    const draft = draftOf(text, COLUMNS)!;
    if (text !== '') expect(textOfDraft(draft, COLUMNS)).toBe(text);
  });

  it('spells columns as the table does', () => {
    expect(textOfDraft(draftOf("region = 'x' and [ORDER DATE] > '5/Jan/2026'", COLUMNS)!, COLUMNS)).toBe(
      "Region = 'x' AND [Order date] > '5/Jan/2026'",
    );
  });

  it('does not open what is no condition', () => {
    expect(draftOf('Region =', COLUMNS)).toBeNull();
    expect(draftOf('Price > 1', COLUMNS)).toBeNull();
  });

  it('says what cannot be compared', () => {
    const amount: DraftComparison = { ...newComparison(COLUMNS), column: 'Amount', values: ['much'] };
    expect(() => textOfDraft(newGroup([amount]), COLUMNS)).toThrow('Not Supported');
    expect(() => textOfDraft(newGroup([{ ...amount, operator: 'IN', values: [] }]), COLUMNS)).toThrow(
      'Condition is invalid',
    );
  });

  it('leaves out empty groups, and changes parts at any depth', () => {
    const inner = newGroup([newComparison(COLUMNS)]);
    const group = newGroup([newGroup(), inner]);
    const changed = changeNode(group, inner.of[0]!.id, (node) => ({ ...node, values: ['x'] }) as DraftComparison);
    expect(textOfDraft(changed, COLUMNS)).toBe("Region = 'x'");
    expect(
      textOfDraft(
        changeNode(group, inner.id, () => null),
        COLUMNS,
      ),
    ).toBe('');
  });
});
