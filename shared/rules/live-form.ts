/** Which forms ask the server while they are filled in. */
import type { Input, Output } from '../contract/parameters.ts';

interface FormParts {
  Inputs: readonly Pick<Input, 'Info'>[];
  Outputs: readonly Pick<Output, 'Info'>[];
}

/** Whether the workbook has anything to tell: suggestions that formulas make, calculated lists and rules, immediate outputs. */
export function isLiveForm({ Inputs, Outputs }: FormParts): boolean {
  return (
    Inputs.some(({ Info }) => hasCalculated(Info) || hasCalculatedRules(Info) || hasCalculatedList(Info)) ||
    Outputs.some(({ Info }) => Info.CalculateImmediately)
  );
}

/** Whether cells or formulas decide which values are taken. */
export const hasCalculatedRules = ({ Rules = [] }: Input['Info']): boolean =>
  Rules.some(({ Calculated }) => Calculated === true);

const hasCalculatedList = ({ Pickers }: Input['Info']): boolean =>
  Pickers.some(({ Calculated }) => Calculated === true);

const hasCalculated = ({ Calculated = [], Specifications }: Input['Info']): boolean =>
  Calculated.some((isCalculated, index) => isCalculated && Specifications[index] !== 'Hidden');
