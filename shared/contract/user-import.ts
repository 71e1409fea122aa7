/** Adding many users at once, and enabling or disabling many. */
import { Type, type Static } from 'typebox';
import { closed, Id, needs, nullable, post } from './endpoint.ts';

export const IMPORT_TEXT_MAX = 500_000;
export const IMPORT_ROWS_MAX = 1_000;
/**
 * Maximum number of users per call of `importUsers`. A mail takes a second or more, and the page shows its progress
 * after each call.
 */
export const IMPORT_PART_ROWS = 10;
/** Maximum number of users per call of `setUsersEnabled`. */
export const ENABLE_USERS_MAX = 500;
const MAX_ROLES = 50;

const RoleName = Type.String({ minLength: 1, maxLength: 50 });
const Roles = Type.Array(RoleName, { maxItems: MAX_ROLES });

/** The user name of a person of whom only the address is known: the address, or its part before the @. */
const NameFrom = Type.Union([Type.Literal('Address'), Type.Literal('LocalPart')]);
export type NameFrom = Static<typeof NameFrom>;

/** Where new users come from: local if absent, else one of ExternalSources of the caller's abilities. */
const Origin = {
  Source: Type.Optional(Type.Union([Type.Literal('Local'), Type.Literal('AD'), Type.Literal('SSO')])),
  SourceName: Type.Optional(Type.String({ maxLength: 60 })),
};

/**
 * - New: will be created.
 * - Existing: has the name, or without a name the address, of a user, who is only added to roles.
 * - Invalid: will not be created; Problems says why.
 * - Duplicate: the same person is in an earlier line.
 */
const ImportState = Type.Union([
  Type.Literal('New'),
  Type.Literal('Existing'),
  Type.Literal('Invalid'),
  Type.Literal('Duplicate'),
]);
export type ImportState = Static<typeof ImportState>;

export const PreviewedUser = closed({
  /** Line of the text; the first one is 1. */
  Line: Type.Integer(),
  UserName: Type.String(),
  FirstName: Type.String(),
  MiddleName: Type.String(),
  LastName: Type.String(),
  Email: Type.String(),
  /** Roles that the user is added to. An existing user's present roles are not among them. */
  Roles: Type.Array(Type.String()),
  State: ImportState,
  /** Of an existing user. */
  UserId: nullable(Id),
  Problems: Type.Array(Type.String()),
});
export type PreviewedUser = Static<typeof PreviewedUser>;

export const previewUserImport = post('/api/users/import/preview', {
  access: needs('sk.ManageUsers'),
  sessionOnly: true,
  summary:
    'Preview the import of users from a list of email addresses or a CSV text with headings, without changing anything',
  parts: {
    body: closed({
      Text: Type.String({ minLength: 1, maxLength: IMPORT_TEXT_MAX }),
      /** For everyone; needs sk.ManageRoles. */
      Roles,
      NameFrom,
      ...Origin,
    }),
    result: closed({
      Users: Type.Array(PreviewedUser),
      /** Headings of the text whose columns are not used. */
      UnusedColumns: Type.Array(Type.String()),
    }),
  },
});

const ImportedUser = closed({
  /** Null to create the user; else the user who is added to the roles. */
  UserId: nullable(Id),
  UserName: Type.String({ minLength: 1, maxLength: 50 }),
  FirstName: Type.String({ maxLength: 50 }),
  MiddleName: Type.String({ maxLength: 50 }),
  LastName: Type.String({ maxLength: 50 }),
  Email: Type.String({ maxLength: 256 }),
  Roles,
});
export type ImportedUser = Static<typeof ImportedUser>;

export const ImportOutcome = closed({
  UserName: Type.String(),
  Email: Type.String(),
  /** Null if the user could not be created. */
  UserId: nullable(Id),
  IsCreated: Type.Boolean(),
  /** True if a mail with a link to set the password was sent. */
  IsMailed: Type.Boolean(),
  /** See createUser. */
  SetPasswordPath: nullable(Type.String()),
  /** Roles that the user was added to. */
  Roles: Type.Array(Type.String()),
  /** What could not be done. */
  Problems: Type.Array(Type.String()),
});
export type ImportOutcome = Static<typeof ImportOutcome>;

export const importUsers = post('/api/users/import', {
  access: needs('sk.ManageUsers'),
  sessionOnly: true,
  summary: 'Create users and add users to roles (requires sk.ManageRoles); each user succeeds or fails separately',
  parts: {
    body: closed({ Users: Type.Array(ImportedUser, { minItems: 1, maxItems: IMPORT_PART_ROWS }), ...Origin }),
    result: closed({ Outcomes: Type.Array(ImportOutcome) }),
  },
});

const EnableOutcome = closed({
  UserId: Id,
  UserName: Type.String(),
  IsChanged: Type.Boolean(),
  /** Why the user stays as before; null if changed, or if the user already was as wanted. */
  Problem: nullable(Type.String()),
});
export type EnableOutcome = Static<typeof EnableOutcome>;

export const setUsersEnabled = post('/api/users/setEnabled', {
  access: needs('sk.ManageUsers'),
  summary: 'Enable or disable several users; each succeeds or fails separately',
  parts: {
    body: closed({
      UserIds: Type.Array(Id, { minItems: 1, maxItems: ENABLE_USERS_MAX, uniqueItems: true }),
      Enabled: Type.Boolean(),
    }),
    result: closed({ Outcomes: Type.Array(EnableOutcome) }),
  },
});
