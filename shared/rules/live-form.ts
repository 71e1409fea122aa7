/** Determines which forms call the server while they are filled in. */
import type { Input, Output } from '../contract/parameters.ts';

interface FormParts {
  Inputs: readonly Pick<Input, 'Info'>[];
  Outputs: readonly Pick<Output, 'Info'>[];
}

/**
 * Returns whether the workbook supplies anything during entry: values suggested by formulas, calculated lists and
 * rules, immediate outputs.
 */
export function isLiveForm({ Inputs, Outputs }: FormParts): boolean {
  return (
    Inputs.some(({ Info }) => hasCalculated(Info) || hasCalculatedRules(Info) || hasCalculatedList(Info)) ||
    Outputs.some(({ Info }) => Info.CalculateImmediately)
  );
}

/** Returns whether cells or formulas determine which values are accepted. */
export const hasCalculatedRules = ({ Rules = [] }: Input['Info']): boolean =>
  Rules.some(({ Calculated }) => Calculated === true);

const hasCalculatedList = ({ Pickers }: Input['Info']): boolean =>
  Pickers.some(({ Calculated }) => Calculated === true);

const hasCalculated = ({ Calculated = [], Specifications }: Input['Info']): boolean =>
  Calculated.some((isCalculated, index) => isCalculated && Specifications[index] !== 'Hidden');
