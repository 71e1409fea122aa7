/** A condition while it is being edited: groups and comparisons in order, with the typed texts. */
import {
  COMPARISONS,
  ConditionError,
  INVALID_CONDITION,
  parseCondition,
  printCondition,
  type Condition,
  type ConditionValue,
} from '#shared/codecs/condition.ts';
import { findColumn, typeCondition, type ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { parseExactNumber } from '#shared/codecs/number-text.ts';

/** In the spelling of the specification (activities, section 2). */
export const OPERATORS = [...COMPARISONS, 'IN', 'NOT IN'] as const;
export type Operator = (typeof OPERATORS)[number];

export interface DraftComparison {
  id: number;
  kind: 'comparison';
  column: string;
  operator: Operator;
  /** Texts as typed: one, or any number for IN. */
  values: readonly string[];
}

export interface DraftGroup {
  id: number;
  kind: 'group';
  join: 'and' | 'or';
  negated: boolean;
  of: readonly DraftNode[];
}

export type DraftNode = DraftComparison | DraftGroup;

let ids = 0;
const nextId = (): number => (ids += 1);

export const newGroup = (of: readonly DraftNode[] = []): DraftGroup => ({
  id: nextId(),
  kind: 'group',
  join: 'and',
  negated: false,
  of,
});

export const newComparison = (columns: readonly ConditionColumn[]): DraftComparison => ({
  id: nextId(),
  kind: 'comparison',
  column: columns[0]?.Name ?? '',
  operator: '=',
  values: [''],
});

export const isList = (operator: Operator): boolean => operator === 'IN' || operator === 'NOT IN';

/** Parses the text into an editable group; null if it is no valid condition. */
export function draftOf(text: string, columns: readonly ConditionColumn[]): DraftGroup | null {
  try {
    const condition = parseCondition(text);
    if (condition === null) return newGroup([newComparison(columns)]);
    typeCondition(condition, columns);
    const node = nodeOf(condition, columns);
    return node.kind === 'group' ? node : newGroup([node]);
  } catch (error) {
    if (error instanceof ConditionError) return null;
    throw error;
  }
}

function nodeOf(condition: Condition, columns: readonly ConditionColumn[]): DraftNode {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const of = condition.of.map((part) => nodeOf(part, columns));
      return { ...newGroup(of), join: condition.kind };
    }
    case 'not': {
      const inner = nodeOf(condition.of, columns);
      const group = inner.kind === 'group' && !inner.negated ? inner : newGroup([inner]);
      return { ...group, negated: true };
    }
    case 'compare':
      return comparison(columns, condition.column, condition.operator, [condition.value]);
    case 'in':
      return comparison(columns, condition.column, condition.negated ? 'NOT IN' : 'IN', condition.values);
  }
}

function comparison(
  columns: readonly ConditionColumn[],
  column: string,
  operator: Operator,
  values: readonly ConditionValue[],
): DraftComparison {
  const texts = values.map((value) => (typeof value === 'boolean' ? String(value).toUpperCase() : String(value)));
  return { id: nextId(), kind: 'comparison', column: findColumn(column, columns).Name, operator, values: texts };
}

/** Returns the text of the edited condition, without empty groups. Throws ConditionError. */
export function textOfDraft(group: DraftGroup, columns: readonly ConditionColumn[]): string {
  const condition = conditionOf(group, columns);
  if (condition) typeCondition(condition, columns);
  const text = printCondition(condition);
  // Report conditions that are nested too deeply or hold too many values here, and not at the start.
  parseCondition(text);
  return text;
}

function conditionOf(node: DraftNode, columns: readonly ConditionColumn[]): Condition | null {
  if (node.kind === 'comparison') return compared(node, columns);
  const of = node.of.flatMap((part) => conditionOf(part, columns) ?? []);
  if (of.length === 0) return null;
  const inner: Condition = of.length === 1 ? of[0]! : { kind: node.join, of };
  return node.negated ? { kind: 'not', of: inner } : inner;
}

function compared({ column, operator, values }: DraftComparison, columns: readonly ConditionColumn[]): Condition {
  const { Name, Kind } = findColumn(column, columns);
  const read = values.map((text): ConditionValue => {
    const trimmed = text.trim();
    if (Kind === 'Number') return parseExactNumber(trimmed) ?? trimmed;
    if (Kind === 'Boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
    return Kind === 'Text' ? text : trimmed;
  });
  if (!isList(operator)) {
    return { kind: 'compare', column: Name, operator: operator as (typeof COMPARISONS)[number], value: read[0] ?? '' };
  }
  if (read.length === 0) throw new ConditionError(INVALID_CONDITION);
  return { kind: 'in', column: Name, negated: operator === 'NOT IN', values: read };
}

/** Changes one part of the group at any depth; null removes the part. */
export function changeNode(group: DraftGroup, id: number, change: (node: DraftNode) => DraftNode | null): DraftGroup {
  if (group.id === id) return (change(group) as DraftGroup | null) ?? group;
  const of = group.of.flatMap((part): DraftNode[] => {
    if (part.id === id) return [change(part) ?? []].flat();
    return [part.kind === 'group' ? changeNode(part, id, change) : part];
  });
  return { ...group, of };
}
