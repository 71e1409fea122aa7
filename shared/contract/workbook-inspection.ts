/** What an uploaded workbook would become, before anything of it is stored. */
import { Type, type Static } from 'typebox';
import { closed, nullable, post, signedIn } from './endpoint.ts';
import { FidelityReport, WorkbookFault } from './fidelity.ts';
import { HEADER_SOURCES } from '../rules/parameter-kinds.ts';
import { InputInfo, OutputInfo } from './parameters.ts';
import { UploadQuery } from './versions.ts';
import { WorkbookRegion } from './workbook-region.ts';

/** Longer lists are not told before they belong to an activity. */
export const FOUND_ITEMS_MAX = 1000;

const foundParameter = {
  Name: Type.String(),
  Description: Type.String(),
  /** Of a table: where the names of its columns come from. */
  Headers: Type.Optional(Type.Enum(HEADER_SOURCES)),
};

export const InspectedWorkbook = closed({
  /** What the fields of the activity may begin with: from the workbook, or else from the name of its file. */
  Proposals: closed({
    Name: Type.String(),
    Description: Type.String(),
    Group: Type.String(),
    Function: Type.String(),
  }),
  /** All three empty where there are faults that keep it from being read that far. */
  Inputs: Type.Array(
    closed({
      ...foundParameter,
      Info: InputInfo,
      /** By column: what its list offers; null where there is none, other values decide it, or it is long. Absent where no column has any. */
      Items: Type.Optional(Type.Array(nullable(Type.Array(Type.String())))),
    }),
  ),
  Outputs: Type.Array(closed({ ...foundParameter, Info: OutputInfo })),
  /** What a run does besides calculating, in order. */
  Steps: Type.Array(closed({ Step: Type.String(), Action: Type.String() })),
  Faults: Type.Array(WorkbookFault),
  /** Functions that the upload may accept by name (AcceptUnsupported). */
  Unsupported: Type.Array(Type.String()),
  Fidelity: nullable(FidelityReport),
  /** Absent where the workbook cannot be calculated, or by an engine that knows no region. */
  Region: Type.Optional(WorkbookRegion),
});
export type InspectedWorkbook = Static<typeof InspectedWorkbook>;

/** The file and the fields Id, Schema, AcceptUnsupported and Region of an upload; other fields of one may be sent along. */
export const inspectWorkbook = post('/api/activities/inspect', {
  // As of an upload: the service checks sk.CreateActivity, or sk.EditActivity for a new version.
  access: signedIn,
  summary: 'What a workbook would become as an activity; nothing is stored',
  transport: 'multipart',
  parts: { query: UploadQuery, result: InspectedWorkbook },
});
