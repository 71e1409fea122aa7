/** Differences between two versions of an activity, and returning to an older version. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, needsOn, post } from './endpoint.ts';

const Change = Type.Enum(['Added', 'Removed', 'Changed']);

/** A change of an input, output, step, sheet or name. */
export const NamedChange = closed({
  Name: Type.String(),
  Change,
  /** The changed fields, with values as short texts; empty if the item was added or removed. */
  Fields: Type.Array(closed({ Field: Type.String(), Before: Type.String(), After: Type.String() })),
});
export type NamedChange = Static<typeof NamedChange>;

/** Contiguous cells of one column with the same change: 'B2', 'B2:B40'. Formulas are those of the first cell. */
export const CellChange = closed({
  Sheet: Type.String(),
  Cells: Type.String(),
  Count: Type.Integer({ minimum: 1 }),
  /** Formulas start with '='; blank cells are ''. */
  Before: Type.String(),
  After: Type.String(),
});
export type CellChange = Static<typeof CellChange>;

export const WorkbookChanges = closed({
  Sheets: Type.Array(NamedChange),
  /** Changes of defined names. */
  Names: Type.Array(NamedChange),
  /** Changed formulas, by cell; at most the first 1,000. */
  Formulas: Type.Array(CellChange),
  /** Changed constants, by cell; at most the first 1,000. */
  Constants: Type.Array(CellChange),
  /** Total number of cells, listed or not. */
  FormulaCount: Type.Integer(),
  ConstantCount: Type.Integer(),
});
export type WorkbookChanges = Static<typeof WorkbookChanges>;

export const VersionChanges = closed({
  From: Type.Integer(),
  To: Type.Integer(),
  Inputs: Type.Array(NamedChange),
  Outputs: Type.Array(NamedChange),
  Steps: Type.Array(NamedChange),
  /** For a stored procedure: the procedure and its parameters; absent for workbooks. */
  Procedure: Type.Optional(Type.Array(NamedChange)),
  /** Null for stored procedures, and if the file of one of the versions was purged. */
  Workbook: Type.Union([WorkbookChanges, Type.Null()]),
  /** Items around the activity that are incompatible with version `To`, as sentences. */
  Misfits: Type.Array(Type.String()),
});
export type VersionChanges = Static<typeof VersionChanges>;

const Version = Type.Integer({ minimum: 1 });

export const versionChanges = get('/api/activities/versionchanges/:id/:from/:to', {
  access: needsOn('sk.EditActivity'),
  summary: 'Compare two versions: inputs, outputs, steps, and formulas by cell',
  parts: { params: closed({ id: Id, from: Version, to: Version }), result: VersionChanges },
});

export const rollBack = post('/api/activities/rollback/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Roll back to an older version by saving it as a new version',
  parts: {
    params: IdParams,
    body: closed({ Version, ChangeDescription: Type.String({ maxLength: 1000 }) }),
    result: closed({ Version }),
  },
});
