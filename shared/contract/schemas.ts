/** Schemas: activities and checklists belong to them, and rights can be limited to them. */
import { Type, type Static } from 'typebox';
import { SCHEMA_DISPLAY_NAME_MAX, SCHEMA_NAME_MAX } from '#shared/rules/schema-rules.ts';
import { closed, get, post, userAdmin } from './endpoint.ts';

export const ManagedSchema = closed({
  Name: Type.String(),
  DisplayName: Type.String(),
  Order: Type.Integer(),
  Activities: Type.Integer(),
  /** Number of checklists and workflows. */
  Checklists: Type.Integer(),
  /** Number of grants limited to it. */
  Grants: Type.Integer(),
  /** True if each server start creates it again when it is missing; it therefore cannot be deleted. */
  IsPermanent: Type.Boolean(),
});
export type ManagedSchema = Static<typeof ManagedSchema>;

const Name = Type.String({ minLength: 1, maxLength: SCHEMA_NAME_MAX });
const DisplayName = Type.String({ minLength: 1, maxLength: SCHEMA_DISPLAY_NAME_MAX });
const access = userAdmin;

export const listAllSchemas = get('/api/admin/schemas', {
  access,
  summary: 'List all schemas in their order, with what belongs to them',
  parts: { result: closed({ Items: Type.Array(ManagedSchema) }) },
});

export const createSchema = post('/api/admin/schemas/create', {
  access,
  summary: 'Create a schema, after the others',
  parts: { body: closed({ Name, DisplayName }), result: Type.Null() },
});

export const renameSchema = post('/api/admin/schemas/rename', {
  access,
  summary: 'Set the display name of a schema',
  parts: { body: closed({ Name, DisplayName }), result: Type.Null() },
});

export const orderSchemas = post('/api/admin/schemas/order', {
  access,
  summary: 'Set the order of the schemas: the names of all of them',
  parts: { body: closed({ Names: Type.Array(Name, { maxItems: 10_000 }) }), result: Type.Null() },
});

export const deleteSchema = post('/api/admin/schemas/delete', {
  access,
  summary: 'Delete an empty schema',
  parts: { body: closed({ Name }), result: Type.Null() },
});
