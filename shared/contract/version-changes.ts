/** What differs between two versions of an activity, and going back to an older one. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, needsOn, post } from './endpoint.ts';

const Change = Type.Enum(['Added', 'Removed', 'Changed']);

/** Of an input, output, step, sheet or name. */
export const NamedChange = closed({
  Name: Type.String(),
  Change,
  /** What changed of it; empty where it was added or removed. Values as short texts. */
  Fields: Type.Array(closed({ Field: Type.String(), Before: Type.String(), After: Type.String() })),
});
export type NamedChange = Static<typeof NamedChange>;

/** Cells in one column, one below the other, in which the same changed: 'B2', 'B2:B40'. Formulas are those of the first cell. */
export const CellChange = closed({
  Sheet: Type.String(),
  Cells: Type.String(),
  Count: Type.Integer({ minimum: 1 }),
  /** Formulas begin with '='; blank cells are ''. */
  Before: Type.String(),
  After: Type.String(),
});
export type CellChange = Static<typeof CellChange>;

export const WorkbookChanges = closed({
  Sheets: Type.Array(NamedChange),
  /** Defined names. */
  Names: Type.Array(NamedChange),
  /** Formulas, by cell; at most the first thousand. */
  Formulas: Type.Array(CellChange),
  /** Constants, by cell; at most the first thousand. */
  Constants: Type.Array(CellChange),
  /** Cells in all, listed or not. */
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
  /** Of a stored procedure: itself and its parameters; absent for workbooks. */
  Procedure: Type.Optional(Type.Array(NamedChange)),
  /** Null where the file of one of them was purged, and for stored procedures. */
  Workbook: Type.Union([WorkbookChanges, Type.Null()]),
  /** What around the activity does not fit the version `To` any more, as sentences. */
  Misfits: Type.Array(Type.String()),
});
export type VersionChanges = Static<typeof VersionChanges>;

const Version = Type.Integer({ minimum: 1 });

export const versionChanges = get('/api/activities/versionchanges/:id/:from/:to', {
  access: needsOn('sk.EditActivity'),
  summary: 'What differs between two versions: inputs, outputs, steps, formulas by cell',
  parts: { params: closed({ id: Id, from: Version, to: Version }), result: VersionChanges },
});

export const rollBack = post('/api/activities/rollback/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Make an older version the newest, as a new version',
  parts: {
    params: IdParams,
    body: closed({ Version, ChangeDescription: Type.String({ maxLength: 1000 }) }),
    result: closed({ Version }),
  },
});
