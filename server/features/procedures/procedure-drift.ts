/** Describes, in sentences, how a procedure has changed since a version was created from it. */
import { isDeepStrictEqual } from 'node:util';
import type { ProcedureParameter } from '#server/base/procedure-types.ts';
import type { PinnedProcedure } from '#server/executors/procedure-definition.ts';

export function procedureChanges(pinned: PinnedProcedure, now: PinnedProcedure): string[] {
  const changes = [...parameterChanges(pinned.parameters, now.parameters)];
  if (pinned.kind !== now.kind) changes.push(`It was a ${pinned.kind} and is a ${now.kind} now`);
  if (!isDeepStrictEqual(pinned.results, now.results)) changes.push('Its result sets are others');
  if (changes.length === 0 && refusesRuns(pinned, now)) changes.push(`It is ${now.signature} now`);
  if (pinned.definitionHash !== now.definitionHash) changes.push('Its text has changed');
  return changes;
}

/** Returns whether the inputs or outputs of a call have changed, so that runs of the version are refused. */
export const refusesRuns = (pinned: PinnedProcedure, now: PinnedProcedure): boolean =>
  pinned.signature !== now.signature || pinned.kind !== now.kind;

function parameterChanges(before: readonly ProcedureParameter[], after: readonly ProcedureParameter[]): string[] {
  const changes: string[] = [];
  for (const parameter of after) {
    const old = before.find(({ name }) => name === parameter.name);
    if (!old) changes.push(`The parameter '${parameter.name}' (${parameter.type.declared}) was added`);
    else changes.push(...changesOf(old, parameter));
  }
  for (const { name } of before) {
    if (!after.some((parameter) => parameter.name === name)) changes.push(`The parameter '${name}' was removed`);
  }
  const commonNames = (list: readonly ProcedureParameter[], others: readonly ProcedureParameter[]): string[] =>
    list.flatMap(({ name }) => (others.some((one) => one.name === name) ? [name] : []));
  if (!isDeepStrictEqual(commonNames(before, after), commonNames(after, before)))
    changes.push('Its parameters are in a different order');
  return changes;
}

const defaultOf = ({ defaultText, mayBeLeftOut }: ProcedureParameter): string =>
  defaultText === null ? (mayBeLeftOut ? 'a default' : 'no default') : `the default ${defaultText}`;

function changesOf(old: ProcedureParameter, now: ProcedureParameter): string[] {
  const of = `The parameter '${now.name}'`;
  const changes: string[] = [];
  if (old.type.declared !== now.type.declared)
    changes.push(`${of} was ${old.type.declared} and is ${now.type.declared} now`);
  else if (!isDeepStrictEqual(old.type, now.type)) changes.push(`${of}: its type ${now.type.declared} is another`);
  if (old.direction !== now.direction) changes.push(`${of} was '${old.direction}' and is '${now.direction}' now`);
  if (old.mayBeLeftOut !== now.mayBeLeftOut || old.defaultText !== now.defaultText)
    changes.push(`${of} had ${defaultOf(old)} and has ${defaultOf(now)} now`);
  return changes;
}
