/** Determines which arguments a function takes, and how each one is passed. */
import type { FunctionDefinition, ParameterKind } from '../functions/function.ts';

/** Returns the type of the argument at an index (0-based): the last parameters repeat as a group. */
export function kindAt({ parameters, repeat }: FunctionDefinition, index: number): ParameterKind {
  const { length } = parameters;
  if (index < length) return parameters[index]!;
  return repeat === 0 ? 'value' : parameters[length - repeat + ((index - length) % repeat)]!;
}

export function takesCount({ parameters, required, repeat }: FunctionDefinition, count: number): boolean {
  return count >= required && (repeat > 0 || count <= parameters.length);
}
