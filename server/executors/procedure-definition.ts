/** What a version of a stored-procedure activity keeps beside its inputs and outputs. */
import type { ProcedureDescription } from '#server/base/procedure-types.ts';
import type { ProcedureSettings } from '#shared/contract/procedure-settings.ts';

/** The procedure as it was when the version was made. */
export type PinnedProcedure = ProcedureDescription;

/** A parameter and what people meet of it. */
export interface BoundParameter {
  parameter: string;
  /** Names of the input and the output; null where there is none. */
  input: string | null;
  output: string | null;
  /** The call leaves it out where no value is given. */
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
  /** By the place of the result set; null where it is not declared. */
  results: (DeclaredResult | null)[];
  /** The output of the return code; null where there is none. */
  returnCode: string | null;
}
