/**
 * Designs: workbooks in which an author marks inputs and outputs in the browser. A design holds the file, what is shown of its sheets, and the marks.
 * Publishing it writes the marks into a copy of the file, which then is read as any other workbook.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, INTEGER_MAX, nullable, post, signedIn, Timestamp } from './endpoint.ts';
import { FileToken } from './activities.ts';
import { RegionId } from './auth.ts';
import { OutputInfo } from './parameters.ts';
import { ProposalReason } from './proposals.ts';
import { UploadQuery } from './versions.ts';
import { InspectedWorkbook } from './workbook-inspection.ts';
import { WorkbookRegion } from './workbook-region.ts';
import { MARK_OPTIONS, MARK_ROLES } from '../rules/parameter-kinds.ts';

export type MarkRole = (typeof MARK_ROLES)[number];

const MarkRole = Type.Enum(MARK_ROLES);

/** Sheet names as Excel takes them. */
const SheetName = Type.String({ minLength: 1, maxLength: 31 });
/** 'B4' or 'A10:D14', without a sheet. */
const CellRange = Type.String({ pattern: '^[A-Z]{1,3}[1-9][0-9]{0,6}(:[A-Z]{1,3}[1-9][0-9]{0,6})?$' });

export type MarkOption = (typeof MARK_OPTIONS)[number];

const OptionText = Type.Optional(Type.String({ minLength: 1, maxLength: 2000 }));

/** Texts as they stand in the columns of PortalInputs and PortalOutputs. An absent one leaves the choice to the cells. */
export const MarkOptions = closed(
  Object.fromEntries(MARK_OPTIONS.map((name) => [name, OptionText])) as Record<MarkOption, typeof OptionText>,
);
export type MarkOptions = Static<typeof MarkOptions>;

export const Mark = closed({
  Role: MarkRole,
  /** What people see. */
  Name: Type.String({ minLength: 1, maxLength: 200 }),
  Sheet: SheetName,
  Range: CellRange,
  Options: MarkOptions,
  /** The Excel table whose own name declares it: it can be renamed and removed in Excel only. Absent otherwise. */
  Table: Type.Optional(Type.String({ maxLength: 255 })),
});
export type Mark = Static<typeof Mark>;

export const Marks = Type.Array(Mark, { maxItems: 2000 });

/** A mark that the workbook seems to ask for. */
export const ProposedMark = closed({
  Role: MarkRole,
  Name: Type.String(),
  Sheet: Type.String(),
  Range: Type.String(),
  Options: MarkOptions,
  /** Likely enough to be marked unless the author objects. */
  Preselected: Type.Boolean(),
  /** From 0 to 1. */
  Score: Type.Number(),
  Reason: ProposalReason,
});
export type ProposedMark = Static<typeof ProposedMark>;

/** 'thin', 'medium' … as Excel names line styles, and its colour ('#rrggbb'). */
const Border = nullable(closed({ Line: Type.String(), Color: Type.String() }));

/** How cells of a style look. Colours are '#rrggbb'; null is the automatic colour, or none. */
export const CellLook = closed({
  /** Excel's number format. */
  Format: Type.String(),
  Bold: Type.Boolean(),
  Italic: Type.Boolean(),
  Underline: Type.Boolean(),
  Strike: Type.Boolean(),
  /** Points. */
  Size: Type.Number(),
  Color: nullable(Type.String()),
  Fill: nullable(Type.String()),
  /** As Excel names it; 'general' leaves it to the kind of value. */
  Align: Type.String(),
  VerticalAlign: Type.String(),
  Wrap: Type.Boolean(),
  Indent: Type.Integer(),
  /** Top, right, bottom, left. */
  Borders: Type.Array(Border, { minItems: 4, maxItems: 4 }),
});
export type CellLook = Static<typeof CellLook>;

const Span = Type.Array(Type.Integer(), { minItems: 3, maxItems: 3 });

export const DesignSheet = closed({
  Name: Type.String(),
  IsHidden: Type.Boolean(),
  /** What holds cells that are shown, counted from the top left. Nothing below and to the right has any. */
  Rows: Type.Integer(),
  Columns: Type.Integer(),
  /** Pixels at 100 %. */
  DefaultWidth: Type.Integer(),
  DefaultHeight: Type.Integer(),
  /** [first, last, pixels] of columns and rows with another size, ascending, from 0; 0 pixels are hidden ones. */
  Widths: Type.Array(Span),
  Heights: Type.Array(Span),
  /** [first, last, number of the look] of whole columns and rows, for cells that the parts do not have; rows count before columns. */
  ColumnLooks: Type.Array(Span),
  RowLooks: Type.Array(Span),
  FrozenRows: Type.Integer(),
  FrozenColumns: Type.Integer(),
  /** [top, left, bottom, right], from 0. */
  Merges: Type.Array(Type.Array(Type.Integer(), { minItems: 4, maxItems: 4 })),
  ShowsGridLines: Type.Boolean(),
  IsRightToLeft: Type.Boolean(),
  /** First rows of the parts in which the cells are fetched, ascending; the first is 0. */
  Parts: Type.Array(Type.Integer()),
  /** Rows at the end that are not shown, as the workbook is too large. */
  RowsLeftOut: Type.Integer(),
});
export type DesignSheet = Static<typeof DesignSheet>;

/** A mark of the last version that was looked for in a new file without marks. */
export const CarriedMark = closed({
  Role: MarkRole,
  Name: Type.String(),
  /**
   * Same: where it was. Moved: its table or label is found at another place, and the mark with it. Unsure: its label and its place
   * do not agree, and the author has to choose. Gone: nothing like it is left.
   */
  State: Type.Enum(['Same', 'Moved', 'Unsure', 'Gone'] as const),
  Options: MarkOptions,
  /** Where it was in the last version: 'Sheet1!B4'. */
  From: Type.String(),
  /** The places it may have now: one, or of an Unsure one several. */
  Places: Type.Array(
    closed({ Sheet: Type.String(), Range: Type.String(), Why: Type.Enum(['Table', 'Label', 'Position'] as const) }),
  ),
});
export type CarriedMark = Static<typeof CarriedMark>;

export const DesignItem = closed({
  Id,
  /** 0 for a new activity. */
  ActivityId: Type.Integer(),
  FileName: Type.String(),
  Modified: Timestamp,
});
export type DesignItem = Static<typeof DesignItem>;

export const Design = closed({
  Id,
  Revision: Type.Integer(),
  ActivityId: Type.Integer(),
  Schema: Type.String(),
  FileName: Type.String(),
  Modified: Timestamp,
  Sheets: Type.Array(DesignSheet),
  /** By the number that cells carry. */
  Looks: Type.Array(CellLook),
  Date1904: Type.Boolean(),
  /** The likely ones first; none of them shares cells with a mark that the file has. */
  Proposals: Type.Array(ProposedMark),
  Marks,
  /** Null where the file has marks, or there is no version before it. */
  Carried: nullable(Type.Array(CarriedMark)),
  /** What decides the region unless the author chooses one. Absent where the workbook cannot be calculated. */
  Region: Type.Optional(WorkbookRegion),
});
export type Design = Static<typeof Design>;

/** A cell: column, number of its look, value, and 1 where it holds a formula. Values as of inputs and outputs: an error is {"error": "#N/A"}. */
export type DesignCell = [
  col: number,
  look: number,
  value: string | number | boolean | null | { error: string },
  formula?: 1,
];
/** Rows that have cells, ascending. */
export interface DesignPart {
  Rows: [row: number, cells: DesignCell[]][];
}

/**
 * The file and the text fields Id and Schema, as of an upload. In place of a file, Example names one of the workbooks that come with the program; without
 * either, Id names the activity whose version in use is opened.
 */
export const openDesign = post('/api/designs/open', {
  // As of an upload: the service checks sk.CreateActivity, or sk.EditActivity for a new version.
  access: signedIn,
  summary: 'Open a workbook in which inputs and outputs are to be marked',
  transport: 'multipart',
  parts: { query: UploadQuery, result: closed({ Id }) },
});

export const designs = get('/api/designs', {
  access: signedIn,
  summary: 'Your designs that are not published yet, newest first',
  parts: { result: closed({ Items: Type.Array(DesignItem) }) },
});

export const design = get('/api/designs/:id', {
  access: signedIn,
  summary: 'A design of yours',
  parts: { params: IdParams, result: Design },
});

const PartParams = closed({
  id: Id,
  sheet: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
  part: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
});

export const designPart = get('/api/designs/:id/sheets/:sheet/:part', {
  access: signedIn,
  summary: 'Cells of a sheet of a design',
  // Described by its type alone: the server made it, and it may hold ten thousand cells.
  parts: { params: PartParams, result: Type.Unsafe<DesignPart>({ description: 'Rows with their cells' }) },
});

export const saveMarks = post('/api/designs/:id/marks', {
  access: signedIn,
  summary: 'Save the marks of a design, and say what they make of the workbook',
  parts: {
    params: IdParams,
    body: closed({ Revision: Type.Integer(), Marks }),
    /** Without a fidelity report: its calculation takes too long for each change. */
    result: closed({ Revision: Type.Integer(), Found: InspectedWorkbook }),
  },
});

export const TriedOutput = closed({
  Name: Type.String(),
  Description: Type.String(),
  Info: OutputInfo,
  /** As of a run. */
  Value: nullable(Type.String()),
});
export type TriedOutput = Static<typeof TriedOutput>;

export const tryDesign = post('/api/designs/:id/try', {
  access: signedIn,
  summary: 'Calculate a design with values for its inputs; nothing is stored, and no step is carried out',
  parts: {
    params: IdParams,
    body: closed({
      /** By name. Inputs that are left out have the values of the workbook. */
      Inputs: Type.Array(
        closed({ Name: Type.String({ maxLength: 200 }), Value: nullable(Type.String({ maxLength: 10_000_000 })) }),
        { maxItems: 2000 },
      ),
      /** That the author chose; that of the design where absent. */
      Region: Type.Optional(RegionId),
    }),
    result: closed({
      HasSucceeded: Type.Boolean(),
      /** What the run said, in order. */
      Messages: Type.Array(Type.String()),
      Outputs: Type.Array(TriedOutput),
    }),
  },
});
export type TriedDesign = Static<NonNullable<(typeof tryDesign)['parts']['result']>>;

export const downloadDesign = get('/api/designs/:id/download', {
  access: signedIn,
  summary: 'A token for the workbook of a design, with its marks in it',
  parts: { params: IdParams, result: FileToken },
});

export const deleteDesign = post('/api/designs/:id/delete', {
  access: signedIn,
  summary: 'Delete a design of yours; the activity stays as it is',
  parts: { params: IdParams },
});
