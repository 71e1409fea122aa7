/** Roles and their members. Source: specification of security, sections 3 and 7. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, needs, nullable, post } from './endpoint.ts';
import { ListQuery } from './users.ts';

export const Role = closed({ Name: Type.String(), IsActive: Type.Boolean(), UserCount: Type.Integer() });
export type Role = Static<typeof Role>;

export const RoleUser = closed({
  UserId: Type.Integer(),
  UserName: Type.String(),
  FirstName: Type.String(),
  LastName: Type.String(),
  /** The role's name if the user is a member, otherwise null. */
  RoleName: nullable(Type.String()),
});
export type RoleUser = Static<typeof RoleUser>;

const RoleParams = closed({ name: Type.String({ minLength: 1, maxLength: 50 }) });
const UserIds = Type.Array(Id, { minItems: 1, maxItems: 100_000 });
const access = needs('sk.ManageRoles');

export const listRoles = get('/api/roles', {
  access,
  summary: 'List the roles by name',
  parts: { result: closed({ Items: Type.Array(Role) }) },
});

export const roleUsers = get('/api/roles/:name', {
  access,
  summary: 'Get a role and all users; RoleName is set for those in the role',
  parts: {
    params: RoleParams,
    query: closed({ ...ListQuery, Included: Type.Optional(Type.Boolean()) }),
    result: closed({ Role, Items: Type.Array(RoleUser), Total: Type.Integer(), HasMore: Type.Boolean() }),
  },
});

export const createRole = post('/api/roles/create/:name', {
  access,
  summary: 'Create a role',
  parts: { params: RoleParams, result: Type.Null() },
});

export const enableRole = post('/api/roles/:name/enable', {
  access,
  summary: 'Enable a role',
  parts: { params: RoleParams, result: Type.Null() },
});

export const disableRole = post('/api/roles/:name/disable', {
  access,
  summary: 'Disable a role; its rights no longer apply',
  parts: { params: RoleParams, result: Type.Null() },
});

export const includeUsers = post('/api/roles/:name/include', {
  access,
  summary: 'Add users to a role',
  parts: { params: RoleParams, body: UserIds, result: Type.Null() },
});

export const excludeUsers = post('/api/roles/:name/exclude', {
  access,
  summary: 'Remove users from a role',
  parts: { params: RoleParams, body: UserIds, result: Type.Null() },
});

export const deleteRole = post('/api/roles/:name/delete', {
  access,
  summary: 'Delete a role with its grants and denials; its users remain',
  parts: { params: RoleParams, result: Type.Null() },
});
