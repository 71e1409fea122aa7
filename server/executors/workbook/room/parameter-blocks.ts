/** The cells of inputs and outputs, as a plan of room has to know them. */
import type { ActivityDefinition } from '#server/executors/executor.ts';
import type { ParameterBlock } from './plan-room.ts';

/** Input tables move and grow as the tables they are; all other inputs keep their size. */
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
