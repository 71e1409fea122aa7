/** Resolves variables of LET and LAMBDA, and names of functions if a variable has the same name. */
import { FORM_NAMES } from '../functions/form-names.ts';
import type { CallNode, NameNode } from '../syntax/ast.ts';
import type { Site, Variable } from './site.ts';

/**
 * Returns the variable that a name refers to. A name that a file marks as a worksheet function ('_xleta.') is never a
 * variable.
 */
export function variableOf({ name, prefix, isFunction }: NameNode, site: Site): Variable | undefined {
  return prefix === null && !isFunction ? site.variables.get(name.toLowerCase()) : undefined;
}

/**
 * Returns true if a call without a mark of the file calls a variable, like f(1) in LET(f,LAMBDA(x,x+1),f(1)). In a
 * call, the name of a worksheet function always refers to that function, even if a variable with this name holds a
 * LAMBDA: LET(SUM,LAMBDA(x,x+10),SUM(2)) is 2. Source: Excel's behavior. Calls of variables that a file marks
 * ('_xlpm.') are other nodes.
 */
export function callsVariable({ name, filePrefix }: CallNode, site: Site): boolean {
  if (filePrefix !== '' || !site.variables.has(name.toLowerCase())) return false;
  return !FORM_NAMES.has(name) && site.findFunction(name) === undefined;
}
