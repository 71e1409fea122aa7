/**
 * Designs: workbooks in which an author marks inputs and outputs in the browser. A design holds the file, the displayed
 * sheets and the marks. Publishing writes the marks into a copy of the file, which is then read like any other
 * workbook.
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

/** Excel's limit for sheet names. */
const SheetName = Type.String({ minLength: 1, maxLength: 31 });
/** 'B4' or 'A10:D14', without a sheet name. */
const CellRange = Type.String({ pattern: '^[A-Z]{1,3}[1-9][0-9]{0,6}(:[A-Z]{1,3}[1-9][0-9]{0,6})?$' });

export type MarkOption = (typeof MARK_OPTIONS)[number];

const OptionText = Type.Optional(Type.String({ minLength: 1, maxLength: 2000 }));

/**
 * Texts in the format of the columns of PortalInputs and PortalOutputs. If one is absent, the cells determine the
 * option.
 */
export const MarkOptions = closed(
  Object.fromEntries(MARK_OPTIONS.map((name) => [name, OptionText])) as Record<MarkOption, typeof OptionText>,
);
export type MarkOptions = Static<typeof MarkOptions>;

export const Mark = closed({
  Role: MarkRole,
  /** Name shown to users. */
  Name: Type.String({ minLength: 1, maxLength: 200 }),
  Sheet: SheetName,
  Range: CellRange,
  Options: MarkOptions,
  /**
   * Name of the Excel table whose name declares the mark. Such a mark can be renamed and removed only in Excel. Absent
   * for other marks.
   */
  Table: Type.Optional(Type.String({ maxLength: 255 })),
});
export type Mark = Static<typeof Mark>;

export const Marks = Type.Array(Mark, { maxItems: 2000 });

/** A mark that the portal suggests from the content of the workbook. */
export const ProposedMark = closed({
  Role: MarkRole,
  Name: Type.String(),
  Sheet: Type.String(),
  Range: Type.String(),
  Options: MarkOptions,
  /** True if it is likely enough to be marked unless the author objects. */
  Preselected: Type.Boolean(),
  /** From 0 to 1. */
  Score: Type.Number(),
  Reason: ProposalReason,
});
export type ProposedMark = Static<typeof ProposedMark>;

/** Line is Excel's name of the line style, such as 'thin' or 'medium'; Color is '#rrggbb'. */
const Border = nullable(closed({ Line: Type.String(), Color: Type.String() }));

/** Appearance of the cells of a style. Colors are '#rrggbb'; null means automatic or none. */
export const CellLook = closed({
  /** Excel's number format. */
  Format: Type.String(),
  Bold: Type.Boolean(),
  Italic: Type.Boolean(),
  Underline: Type.Boolean(),
  Strike: Type.Boolean(),
  /** Font size in points. */
  Size: Type.Number(),
  Color: nullable(Type.String()),
  Fill: nullable(Type.String()),
  /** Excel's name of the alignment; 'general' aligns by the type of the value. */
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
  /** Size of the displayed area from the top left. No displayed cell lies below or to the right of it. */
  Rows: Type.Integer(),
  Columns: Type.Integer(),
  /** Pixels at 100 %. */
  DefaultWidth: Type.Integer(),
  DefaultHeight: Type.Integer(),
  /** [first, last, pixels] of columns and rows with other sizes, ascending, from 0. 0 pixels means hidden. */
  Widths: Type.Array(Span),
  Heights: Type.Array(Span),
  /**
   * [first, last, index of the look] for whole columns and rows, applied to cells that the parts do not contain. Rows
   * take precedence over columns.
   */
  ColumnLooks: Type.Array(Span),
  RowLooks: Type.Array(Span),
  FrozenRows: Type.Integer(),
  FrozenColumns: Type.Integer(),
  /** [top, left, bottom, right], from 0. */
  Merges: Type.Array(Type.Array(Type.Integer(), { minItems: 4, maxItems: 4 })),
  ShowsGridLines: Type.Boolean(),
  IsRightToLeft: Type.Boolean(),
  /** First row of each part in which the cells are fetched, ascending; the first is 0. */
  Parts: Type.Array(Type.Integer()),
  /** Number of rows at the end that are not displayed because the workbook is too large. */
  RowsLeftOut: Type.Integer(),
});
export type DesignSheet = Static<typeof DesignSheet>;

/** A mark of the last version, and where it belongs in a new file that has no marks. */
export const CarriedMark = closed({
  Role: MarkRole,
  Name: Type.String(),
  /**
   * Same: at its old position. Moved: its table or label was found at another position, and the mark moves with it.
   * Unsure: label and position disagree, and the author must choose. Gone: nothing similar was found.
   */
  State: Type.Enum(['Same', 'Moved', 'Unsure', 'Gone'] as const),
  Options: MarkOptions,
  /** Position in the last version: 'Sheet1!B4'. */
  From: Type.String(),
  /** Candidate positions: exactly one, or several for Unsure. */
  Places: Type.Array(
    closed({ Sheet: Type.String(), Range: Type.String(), Why: Type.Enum(['Table', 'Label', 'Position'] as const) }),
  ),
});
export type CarriedMark = Static<typeof CarriedMark>;

/** A right that an input can require of those who change its value. */
export const RequiredRight = closed({ Name: Type.String(), Description: Type.String() });
export type RequiredRight = Static<typeof RequiredRight>;

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
  /** Indexed by the look numbers of cells. */
  Looks: Type.Array(CellLook),
  Date1904: Type.Boolean(),
  /** The most likely proposals first. None overlaps a mark that the file contains. */
  Proposals: Type.Array(ProposedMark),
  Marks,
  /** Null if the file has marks, or if there is no previous version. */
  Carried: nullable(Type.Array(CarriedMark)),
  /** What determines the region unless the author chooses one. Absent if the workbook cannot be calculated. */
  Region: Type.Optional(WorkbookRegion),
  /** The rights that the person may see. Servers of earlier releases do not return them. */
  Rights: Type.Optional(Type.Array(RequiredRight)),
  /** True if no other right exists. */
  HasAllRights: Type.Optional(Type.Boolean()),
});
export type Design = Static<typeof Design>;

/**
 * A cell: column, index of its look, value, and 1 if it holds a formula. Values are encoded as for inputs and outputs:
 * an error is {"error": "#N/A"}.
 */
export type DesignCell = [
  col: number,
  look: number,
  value: string | number | boolean | null | { error: string },
  formula?: 1,
];
/** Rows that contain cells, ascending. */
export interface DesignPart {
  Rows: [row: number, cells: DesignCell[]][];
}

/**
 * Takes the file and the text fields Id and Schema, as an upload does. Instead of a file, Example names one of the
 * bundled workbooks. Without either, Id names the activity whose current version is opened.
 */
export const openDesign = post('/api/designs/open', {
  // As for an upload, the service checks sk.CreateActivity, or sk.EditActivity for a new version.
  access: signedIn,
  summary: 'Create a design from a workbook, in which inputs and outputs can be marked',
  transport: 'multipart',
  parts: { query: UploadQuery, result: closed({ Id }) },
});

export const designs = get('/api/designs', {
  access: signedIn,
  summary: 'List the user’s unpublished designs, newest first',
  parts: { result: closed({ Items: Type.Array(DesignItem) }) },
});

export const design = get('/api/designs/:id', {
  access: signedIn,
  summary: 'Get one of the user’s designs',
  parts: { params: IdParams, result: Design },
});

const PartParams = closed({
  id: Id,
  sheet: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
  part: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
});

export const designPart = get('/api/designs/:id/sheets/:sheet/:part', {
  access: signedIn,
  summary: 'Get cells of a sheet of a design',
  // Described by its type only and not validated: the server produced it, and it may contain ten thousand cells.
  parts: { params: PartParams, result: Type.Unsafe<DesignPart>({ description: 'Rows with their cells' }) },
});

export const saveMarks = post('/api/designs/:id/marks', {
  access: signedIn,
  summary: 'Save the marks of a design, and return the resulting inputs, outputs and problems',
  parts: {
    params: IdParams,
    body: closed({ Revision: Type.Integer(), Marks }),
    /** Has no fidelity report: calculating one takes too long to repeat after each change. */
    result: closed({ Revision: Type.Integer(), Found: InspectedWorkbook }),
  },
});

export const TriedOutput = closed({
  Name: Type.String(),
  Description: Type.String(),
  Info: OutputInfo,
  /** In the format of a run's output. */
  Value: nullable(Type.String()),
});
export type TriedOutput = Static<typeof TriedOutput>;

export const tryDesign = post('/api/designs/:id/try', {
  access: signedIn,
  summary: 'Calculate a design with values for its inputs, without storing anything or executing steps',
  parts: {
    params: IdParams,
    body: closed({
      /** Identified by name. Absent inputs use the values of the workbook. */
      Inputs: Type.Array(
        closed({ Name: Type.String({ maxLength: 200 }), Value: nullable(Type.String({ maxLength: 10_000_000 })) }),
        { maxItems: 2000 },
      ),
      /** Chosen by the author; the region of the design if absent. */
      Region: Type.Optional(RegionId),
    }),
    result: closed({
      HasSucceeded: Type.Boolean(),
      /** Messages of the run, in order. */
      Messages: Type.Array(Type.String()),
      Outputs: Type.Array(TriedOutput),
    }),
  },
});
export type TriedDesign = Static<NonNullable<(typeof tryDesign)['parts']['result']>>;

export const downloadDesign = get('/api/designs/:id/download', {
  access: signedIn,
  summary: 'Download the workbook of a design with its marks; returns a file token',
  parts: { params: IdParams, result: FileToken },
});

export const deleteDesign = post('/api/designs/:id/delete', {
  access: signedIn,
  summary: 'Delete one of the user’s designs; the activity does not change',
  parts: { params: IdParams, result: Type.Null() },
});
