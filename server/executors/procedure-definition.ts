/** What a version of a stored-procedure activity stores in addition to its inputs and outputs. */
import type { ProcedureDescription } from '#server/base/procedure-types.ts';
import type { ProcedureSettings } from '#shared/contract/procedure-settings.ts';

/** The procedure as it was when the version was created. */
export type PinnedProcedure = ProcedureDescription;

/** A parameter with the input and the output it is bound to. */
export interface BoundParameter {
  parameter: string;
  /** Names of the input and the output; null if there is none. */
  input: string | null;
  output: string | null;
  /** True if the call omits the parameter when no value is supplied. */
  mayBeLeftOut: boolean;
  required: boolean;
}

export interface DeclaredResult {
  output: string;
  columns: { name: string; usage: 'Number' | 'Text' | 'Date' | 'Boolean' }[];
}

export interface ProcedureDefinition {
  connection: string;
  pinned: PinnedProcedure;
  settings: ProcedureSettings;
  parameters: BoundParameter[];
  /** Indexed by the position of the result set; null if the result set is not declared. */
  results: (DeclaredResult | null)[];
  /** Name of the output for the return code; null if there is none. */
  returnCode: string | null;
}
