import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { RightsService } from './rights/rights-service.ts';
import { listSchemas } from './schemas.ts';

/** The publisher: a person, or the program itself on behalf of an administrator. */
export type Publisher = Pick<Person, 'UserId' | 'IsUserAdmin'>;

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
