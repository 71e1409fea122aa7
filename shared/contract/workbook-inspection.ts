/** Inspects an uploaded workbook: shows the activity it would become, without storing anything. */
import { Type, type Static } from 'typebox';
import { closed, nullable, post, signedIn } from './endpoint.ts';
import { FidelityReport, WorkbookProblem } from './fidelity.ts';
import { HEADER_SOURCES } from '../rules/parameter-kinds.ts';
import { InputInfo, OutputInfo } from './parameters.ts';
import { UploadQuery } from './versions.ts';
import { WorkbookRegion } from './workbook-region.ts';

/** Lists longer than this are returned only once they belong to an activity. */
export const FOUND_ITEMS_MAX = 1000;

const foundParameter = {
  Name: Type.String(),
  Description: Type.String(),
  /** For a table: where the names of its columns come from. */
  Headers: Type.Optional(Type.Enum(HEADER_SOURCES)),
};

export const InspectedWorkbook = closed({
  /** Proposed values of the activity's fields, from the workbook or otherwise from the file name. */
  Proposals: closed({
    Name: Type.String(),
    Description: Type.String(),
    Group: Type.String(),
    Function: Type.String(),
  }),
  /** Inputs, Outputs and Steps are empty if problems prevent reading the workbook that far. */
  Inputs: Type.Array(
    closed({
      ...foundParameter,
      Info: InputInfo,
      /**
       * One element per column: the items of its list. Null if there is no list, if other values determine it, or if it
       * is long. Absent if no column has a list.
       */
      Items: Type.Optional(Type.Array(nullable(Type.Array(Type.String())))),
    }),
  ),
  Outputs: Type.Array(closed({ ...foundParameter, Info: OutputInfo })),
  /** What a run does in addition to calculating, in order. */
  Steps: Type.Array(closed({ Step: Type.String(), Action: Type.String() })),
  Faults: Type.Array(WorkbookProblem),
  /** Functions that the upload may accept by name (AcceptUnsupported). */
  Unsupported: Type.Array(Type.String()),
  Fidelity: nullable(FidelityReport),
  /** Absent if the workbook cannot be calculated, or if its engine supports no regions. */
  Region: Type.Optional(WorkbookRegion),
});
export type InspectedWorkbook = Static<typeof InspectedWorkbook>;

/**
 * Takes the file and the fields Id, Schema, AcceptUnsupported and Region of an upload; other fields of an upload are
 * allowed.
 */
export const inspectWorkbook = post('/api/activities/inspect', {
  // As for an upload, the service checks sk.CreateActivity, or sk.EditActivity for a new version.
  access: signedIn,
  summary: 'Inspect a workbook: what it would become as an activity, without storing anything',
  transport: 'multipart',
  parts: { query: UploadQuery, result: InspectedWorkbook },
});
