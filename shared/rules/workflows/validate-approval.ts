import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import { knownOf } from './graph-sources.ts';
import type { ApprovalStep } from './types.ts';
import { shortFormula, typeOfExpression, type ExpressionContext } from './validate-expressions.ts';

/** Who can decide an approval. */
export interface WhoMayApprove {
  /** Names (or numbers) of roles that do not exist or are inactive, and of users who do not exist or are disabled. */
  Missing: readonly string[];
  /** Number of users who may sign in, belong to one of the roles or are named, and are not excluded as starters. */
  Count: number;
}

/** By step key. */
export type Approvers = ReadonlyMap<string, WhoMayApprove>;

/** Returns the problems of an approval, one text each. @param who null if the approvers are unknown */
export function approvalProblems(step: ApprovalStep, around: ExpressionContext, who: WhoMayApprove | null): string[] {
  const problems: string[] = [];
  if (step.Text.trim() === '') problems.push('An approval must say what is to be approved');
  for (const [index, { Name, From }] of step.Values.entries()) {
    if (Name.trim() === '') problems.push('A value of an approval must have a name');
    if (step.Values.slice(0, index).some((one) => isSameInputName(one.Name, Name)))
      problems.push(`There are two values named '${Name}'`);
    const problem = valueProblem(From, around);
    if (problem !== null) problems.push(`'${Name}' ${problem}`);
  }
  const isNamed = step.Roles.length + step.UserIds.length > 0;
  if (!isNamed) problems.push('An approval must name the roles or people who decide');
  else if (who) problems.push(...peopleProblems(step, who));
  return problems;
}

function valueProblem(From: ApprovalStep['Values'][number]['From'], around: ExpressionContext): string | null {
  if (From.Kind === 'Expression') {
    const type = typeOfExpression(From, around);
    return 'problem' in type ? `cannot be calculated by ${shortFormula(From.Formula)}: ${type.problem}` : null;
  }
  const known = knownOf(around.graph, From, around.catalogue, around.before);
  return typeof known === 'string' ? known : null;
}

function peopleProblems({ Needed }: ApprovalStep, { Missing, Count }: WhoMayApprove): string[] {
  const missing = Missing.map((name) => `${name} can no longer decide: it does not exist or is disabled`);
  const issue = shortOfApprovers(Needed, Count);
  return issue === null ? missing : [...missing, issue];
}

/** Returns why an approval can never be given; null if it can. */
export function shortOfApprovers(needed: number, count: number): string | null {
  if (count >= needed) return null;
  if (count === 0) return 'Nobody can approve: no member of the roles and none of the people listed may decide';
  return `It needs ${needed} approvers, but only ${count} may approve`;
}
