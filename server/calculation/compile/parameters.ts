/** Which arguments a function takes, and how each arrives. */
import type { FunctionDefinition, ParameterKind } from '../functions/function.ts';

/** The kind of the argument at a place (from 0): the last parameters repeat in their group. */
export function kindAt({ parameters, repeat }: FunctionDefinition, index: number): ParameterKind {
  const { length } = parameters;
  if (index < length) return parameters[index]!;
  return repeat === 0 ? 'value' : parameters[length - repeat + ((index - length) % repeat)]!;
}

export function takesCount({ parameters, required, repeat }: FunctionDefinition, count: number): boolean {
  return count >= required && (repeat > 0 || count <= parameters.length);
}
