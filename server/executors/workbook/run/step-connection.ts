/** Finds the connection of a step: named in the step, or by an input that the user fills in. */
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import { isParameterOf } from '#shared/codecs/query-text.ts';
import type { StepContext } from './step-context.ts';

/** The caller that opens the connection checks whether the user may use it. */
export function connectionOf({ calculation, definition, log }: StepContext, { Step, options }: StepDefinition): string {
  const written = options['Connection']!;
  if (!written.startsWith('@')) return written;
  const input = definition.inputs.find(({ Name }) => isParameterOf(written.slice(1), Name));
  if (!input) throw log.setupError(`Step '${Step}': there is no input for ${written}`);
  const { sheet, block } = input.location;
  const value = calculation.read(sheet, calculation.now(sheet, block))[0]?.[0] ?? null;
  if (typeof value !== 'string' || value.trim() === '')
    throw log.setupError(`Step '${Step}': the input '${input.Name}' names no connection`);
  return value.trim();
}
