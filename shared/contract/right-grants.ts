/** Rights and their grants. Source: specification of security, sections 3 and 7. */
import { Type, type Static } from 'typebox';
import { closed, EditedRevision, get, Id, needs, nullable, post, Revision } from './endpoint.ts';
import { ListQuery } from './users.ts';

const RightName = Type.String({ minLength: 1, maxLength: 60 });
const KeyColumn = Type.String({ minLength: 1, maxLength: 60 });
const KeyValue = Type.String({ minLength: 1, maxLength: 100 });
const Params = closed({ name: RightName });
const KeyParams = closed({ name: RightName, keyColumn: KeyColumn, value: KeyValue });
const access = needs('sk.ManageRights');

/** 1 granted, -1 denied, 0 neither. */
export const AccessValue = Type.Union([Type.Literal(1), Type.Literal(0), Type.Literal(-1)]);
export type AccessValue = Static<typeof AccessValue>;

/** Number of roles and users that are directly granted or denied a right, for All or for one value. */
const Counts = { RoleCount: Type.Integer(), UserCount: Type.Integer(), InternetAccess: AccessValue };

/** A right for All (without key column), or limited by a key column. */
export const Right = closed({
  Name: Type.String(),
  Description: Type.String(),
  SchemaName: Type.String(),
  TableName: Type.String(),
  KeyColumnName: Type.String(),
  /** Columns that describe the object which a value of the key column identifies. */
  DisplayInfo: closed({ Columns: Type.Array(Type.String()), JoinedColumns: Type.Array(Type.String()) }),
  /** True if it was created in this portal for use in workbooks; false if it belongs to the program. */
  IsCustom: Type.Boolean(),
  ...Counts,
});
export type Right = Static<typeof Right>;

/** The Revision is that of the description. */
export const ListedRight = closed({ ...Right.properties, Revision });
export type ListedRight = Static<typeof ListedRight>;

export const listRights = get('/api/rights', {
  access,
  summary: 'List the rights, once for All and once for each key column',
  parts: { result: closed({ Items: Type.Array(ListedRight) }) },
});

const RightFields = closed({ Name: RightName, Description: Type.String({ maxLength: 200 }) });

export const createRight = post('/api/rights/create', {
  access,
  summary: 'Create a custom right that workbooks can require',
  parts: { body: RightFields, result: Type.Null() },
});

export const updateRight = post('/api/rights/update', {
  access,
  summary: 'Update the description of a custom right',
  parts: { body: closed({ ...RightFields.properties, Revision: EditedRevision }), result: Type.Null() },
});

export const SpecificRight = closed({
  KeyColumnValue: Type.String(),
  DisplayColumnName: Type.String(),
  DisplayColumnValue: Type.String(),
  ForUsers: Type.Boolean(),
  ...Counts,
});
export type SpecificRight = Static<typeof SpecificRight>;

export const specificRights = get('/api/rights/:name/:keyColumn', {
  access,
  summary: 'List the values to which a right can be refined, with the number of grants',
  parts: {
    params: closed({ name: RightName, keyColumn: KeyColumn }),
    result: closed({ Right, Items: Type.Array(SpecificRight) }),
  },
});

/**
 * Origin of an access: 'Explicit', a role's name, or '' if nothing was granted or denied. ImpliedBy is the right that
 * implies it, if any.
 */
const Why = { Source: Type.String(), ImpliedBy: Type.String() };

export const UserGrant = closed({
  UserId: Type.Integer(),
  UserName: Type.String(),
  FirstName: Type.String(),
  LastName: Type.String(),
  OverallAccess: AccessValue,
  ExplicitAccess: AccessValue,
  ...Why,
});
export type UserGrant = Static<typeof UserGrant>;

export const RoleGrant = closed({
  RoleName: Type.String(),
  IsActive: Type.Boolean(),
  OverallAccess: AccessValue,
  ExplicitAccess: AccessValue,
  ...Why,
});
export type RoleGrant = Static<typeof RoleGrant>;

const Internet = { OverallInternetAccess: AccessValue, ExplicitInternetAccess: AccessValue };

export const GrantInfo = closed({
  Right,
  KeyColumnValue: Type.String(),
  DisplayColumnName: Type.String(),
  DisplayColumnValue: Type.String(),
  UserGrants: Type.Array(UserGrant),
  TotalUsers: Type.Integer(),
  HasMore: Type.Boolean(),
  RoleGrants: Type.Array(RoleGrant),
  /** True if the right can be granted to the internet. */
  OffersInternet: Type.Boolean(),
  ...Internet,
});
export type GrantInfo = Static<typeof GrantInfo>;

/** Held: only users to whom the right is granted or denied in some way. */
const GrantQuery = closed({ ...ListQuery, Held: Type.Optional(Type.Boolean()) });

export const grantInfo = get('/api/rights/:name', {
  access,
  summary: 'List who holds a right for All, and why',
  parts: { params: Params, query: GrantQuery, result: GrantInfo },
});

export const specificGrantInfo = get('/api/rights/:name/:keyColumn/:value', {
  access,
  summary: 'List who holds a right for one value of a key column, and why',
  parts: { params: KeyParams, query: GrantQuery, result: GrantInfo },
});

const InternetInfo = closed({
  Right,
  KeyColumnValue: Type.String(),
  DisplayColumnName: Type.String(),
  DisplayColumnValue: Type.String(),
  OffersInternet: Type.Boolean(),
  ...Internet,
});

export const internetInfo = get('/api/rights/internet/:name', {
  access,
  summary: 'Get whether the internet has a right for All',
  parts: { params: Params, result: InternetInfo },
});

export const specificInternetInfo = get('/api/rights/internet/:name/:keyColumn/:value', {
  access,
  summary: 'Get whether the internet has a right for one value of a key column',
  parts: { params: KeyParams, result: InternetInfo },
});

export const GRANT_CHANGES = ['grant', 'deny', 'delete'] as const;
export type GrantChange = (typeof GRANT_CHANGES)[number];

const UserIds = Type.Array(Id, { minItems: 1, maxItems: 100_000 });
const RoleNames = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { minItems: 1, maxItems: 10_000 });
const Done = Type.Null();

/** The calls for one kind of grantee: per change, one call for All and one for a single value of a key column. */
const changeUsers = (change: GrantChange) => ({
  all: post(`/api/rights/:name/users/${change}`, {
    access,
    summary: `${change} a right: users`,
    parts: { params: Params, body: UserIds, result: Done },
  }),
  one: post(`/api/rights/:name/users/${change}/:keyColumn/:value`, {
    access,
    summary: `${change} a right for one value: users`,
    parts: { params: KeyParams, body: UserIds, result: Done },
  }),
});
const changeRoles = (change: GrantChange) => ({
  all: post(`/api/rights/:name/roles/${change}`, {
    access,
    summary: `${change} a right: roles`,
    parts: { params: Params, body: RoleNames, result: Done },
  }),
  one: post(`/api/rights/:name/roles/${change}/:keyColumn/:value`, {
    access,
    summary: `${change} a right for one value: roles`,
    parts: { params: KeyParams, body: RoleNames, result: Done },
  }),
});
const changeInternet = (change: GrantChange) => ({
  all: post(`/api/rights/:name/internet/${change}`, {
    access,
    summary: `${change} a right: the internet`,
    parts: { params: Params, result: Done },
  }),
  one: post(`/api/rights/:name/internet/${change}/:keyColumn/:value`, {
    access,
    summary: `${change} a right for one value: the internet`,
    parts: { params: KeyParams, result: Done },
  }),
});

export const userGrants = {
  grant: changeUsers('grant'),
  deny: changeUsers('deny'),
  delete: changeUsers('delete'),
};
export const roleGrants = {
  grant: changeRoles('grant'),
  deny: changeRoles('deny'),
  delete: changeRoles('delete'),
};
export const internetGrants = {
  grant: changeInternet('grant'),
  deny: changeInternet('deny'),
  delete: changeInternet('delete'),
};

/** Null means All. */
export const Key = nullable(closed({ column: KeyColumn, value: KeyValue }));
export type Key = Static<typeof Key>;
