import type { ActivityDefinition } from '#server/executors/executor.ts';

/** Versions of procedures that were made before their inputs kept every digit keep them, too: what they take is otherwise the same. */
export function keepDigits(definition: ActivityDefinition): ActivityDefinition {
  if (!definition.procedure) return definition;
  const inputs = definition.inputs.map((input) => ({ ...input, Info: { ...input.Info, ExactNumbers: true } }));
  return { ...definition, inputs };
}
