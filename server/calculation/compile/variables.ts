/** Variables of LET and LAMBDA, and what the names of functions mean where a variable has the same name. */
import { FORM_NAMES } from '../functions/form-names.ts';
import type { CallNode, NameNode } from '../syntax/ast.ts';
import type { Site, Variable } from './site.ts';

/** The variable a name means. What a file marks as a worksheet function ('_xleta.') is never a variable. */
export function variableOf({ name, prefix, isFunction }: NameNode, site: Site): Variable | undefined {
  return prefix === null && !isFunction ? site.variables.get(name.toLowerCase()) : undefined;
}

/**
 * Whether a call without a mark of the file is one of a variable, as f(1) in LET(f,LAMBDA(x,x+1),f(1)). The name of a worksheet
 * function is that function in every call, also where a variable holds a LAMBDA under that name: LET(SUM,LAMBDA(x,x+10),SUM(2)) is 2.
 * Source: Excel's behaviour. Calls of variables that a file marks ('_xlpm.') are other nodes.
 */
export function callsVariable({ name, filePrefix }: CallNode, site: Site): boolean {
  if (filePrefix !== '' || !site.variables.has(name.toLowerCase())) return false;
  return !FORM_NAMES.has(name) && site.findFunction(name) === undefined;
}
