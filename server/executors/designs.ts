/** What the features know of designing: a workbook is shown, checked with marks on its cells, and written with them. */
import type { WorkbookFault } from '#shared/contract/fidelity.ts';
import type { CarriedMark, CellLook, DesignSheet, Mark, Proposal } from '#shared/contract/designs.ts';
import type { Inspection } from './executor.ts';
import type { StepFacilities } from './step-services.ts';

export interface DesignedFile {
  fileName: string;
  bytes: Uint8Array;
  /** Whose it is: people take turns. */
  owner: string;
}

export interface OpenedDesign {
  sheets: DesignSheet[];
  looks: CellLook[];
  date1904: boolean;
  proposals: Proposal[];
  /** Those that the file declares, or else those that were carried over. */
  marks: Mark[];
  carried: CarriedMark[] | null;
  /** By sheet: each part as compressed JSON (DesignPart). */
  parts: Uint8Array[][];
}

export interface WorkbookDesigner {
  /** @param lastVersion the file whose marks are carried over to one without marks; null where there is none. Answers why it cannot be read, if so. */
  open(
    file: DesignedFile,
    lastVersion: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<OpenedDesign | { refusal: WorkbookFault }>;
  /** What the marks make of the file, without a comparison of its saved values. */
  check(
    file: DesignedFile,
    marks: readonly Mark[],
    facilities: StepFacilities,
    signal: AbortSignal,
  ): Promise<Inspection>;
  /** The file with the marks in it. */
  write(file: DesignedFile, marks: readonly Mark[], signal: AbortSignal): Promise<Uint8Array>;
}
