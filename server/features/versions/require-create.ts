import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { RightsService } from '#server/access/rights-service.ts';
import { listSchemas } from '#server/features/schemas/schemas-service.ts';
import type { Publisher } from './store-version.ts';

/** Throws an AppError 403 if the person may not create activities in the schema, or if the schema does not exist. */
export async function requireCreate(
  { knex, rights }: { knex: Knex; rights: RightsService },
  person: Publisher,
  Schema: string,
): Promise<void> {
  const exists = (await listSchemas(knex)).some(({ Name }) => Name === Schema);
  // The error is the same in both cases, so only people who may use a schema learn that it exists.
  if (!exists || !(await rights.has(person, 'sk.CreateActivity', { Schema })))
    throw new AppError('schemaNotAllowed', 403, 'You may not create activities in this schema');
}
