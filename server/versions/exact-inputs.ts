import type { ActivityDefinition } from '#server/executors/activity-definition.ts';

/**
 * Applies ExactNumbers to versions of procedures that were made before this property existed: their inputs then keep
 * every digit, and otherwise accept the same values.
 */
export function keepDigits(definition: ActivityDefinition): ActivityDefinition {
  if (!definition.procedure) return definition;
  const inputs = definition.inputs.map((input) => ({ ...input, Info: { ...input.Info, ExactNumbers: true } }));
  return { ...definition, inputs };
}
