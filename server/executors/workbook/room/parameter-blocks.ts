/** Returns the cells of inputs and outputs for planning room. */
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { ParameterBlock } from './plan-space.ts';

/** Input tables are omitted, because they move and grow as tables; all other inputs keep their size. */
export function parameterBlocks({ inputs, outputs }: Pick<ActivityDefinition, 'inputs' | 'outputs'>): ParameterBlock[] {
  return [
    ...inputs
      .filter(({ location }) => location.table === undefined)
      .map(({ Name, location: { sheet, block } }) => ({ what: `the input '${Name}'`, sheet, block, grows: false })),
    ...outputs.map(({ Name, location: { sheet, block } }) => ({
      what: `the output '${Name}'`,
      sheet,
      block,
      grows: true,
    })),
  ];
}
