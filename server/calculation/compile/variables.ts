/** Variables of LET and LAMBDA, and what the names of functions mean where a variable has the same name. */
import { FORM_NAMES } from '../functions/form-names.ts';
import type { CallNode, NameNode } from '../syntax/ast.ts';
import type { Site, Variable } from './site.ts';

/** The variable a name means. What a file marks as a worksheet function ('_xleta.') is never a variable. */
export function variableOf({ name, prefix, isFunction }: NameNode, site: Site): Variable | undefined {
  return prefix === null && !isFunction ? site.variables.get(name.toLowerCase()) : undefined;
}

/**
 * Whether a call is one of a variable: LET(date,A1,DATE(YEAR(date),1,1)) calls the worksheet function, LET(f,LAMBDA(x,x+1),f(1)) the
 * variable. Files mark calls of variables, which never come here. A call without a mark means the function of that name, unless a
 * variable without a mark was given a function.
 */
export function callsVariable({ name, filePrefix }: CallNode, site: Site): boolean {
  const variable = filePrefix === '' ? site.variables.get(name.toLowerCase()) : undefined;
  if (!variable) return false;
  return variable.hidesFunction || !(FORM_NAMES.has(name) || site.findFunction(name));
}
