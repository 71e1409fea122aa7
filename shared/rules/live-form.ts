/** Which forms ask the server while they are filled in. */
import type { Input, Output } from '../contract/parameters.ts';

interface FormParts {
  Inputs: readonly Pick<Input, 'Info'>[];
  Outputs: readonly Pick<Output, 'Info'>[];
}

/** Whether the workbook has anything to tell: suggestions that formulas make, calculated lists, immediate outputs. */
export function isLiveForm({ Inputs, Outputs }: FormParts): boolean {
  return (
    Inputs.some(({ Info }) => hasCalculated(Info) || Info.Pickers.some(({ Calculated }) => Calculated === true)) ||
    Outputs.some(({ Info }) => Info.CalculateImmediately)
  );
}

const hasCalculated = ({ Calculated = [], Specifications }: Input['Info']): boolean =>
  Calculated.some((isCalculated, index) => isCalculated && Specifications[index] !== 'Hidden');
