/** Checks who owns a design, and whether they may still publish it. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { requireCreate } from '#server/access/require-create.ts';
import { findDesign, type DesignRow } from './designs-repository.ts';

export interface DesignAccess {
  /**
   * Returns the schema to publish the workbook in. Throws an AppError if the person may not publish it.
   * @param activityId 0 for a new activity
   */
  requireRight(person: Person, activityId: number, schema: string): Promise<string>;
  /**
   * Returns a design of the person, who must still be allowed to publish it. Throws an AppError 404 for any other
   * design.
   */
  require(person: Person, id: number): Promise<DesignRow>;
}

export interface DesignAccessDeps {
  database: Database;
  rights: RightsService;
  access: ActivityAccess;
}

export const designNotFound = (): AppError =>
  new AppError('designNotFound', 404, 'This unfinished workbook was published or deleted. Choose the workbook again.');

export function createDesignAccess({ database, rights, access }: DesignAccessDeps): DesignAccess {
  const { knex } = database;

  async function requireRight(person: Person, activityId: number, schema: string): Promise<string> {
    if (activityId === 0) {
      await requireCreate({ knex, rights }, person, schema);
      return schema;
    }
    const { activity } = await access.requireEdit(knex, person, activityId);
    if (activity.Type !== 'Workbook')
      throw new AppError('takesNoFile', 409, 'The activity runs a stored procedure and does not accept a workbook');
    return activity.Schema;
  }

  return {
    requireRight,
    require: async (person, id) => {
      const row = await findDesign(knex, id, person.UserId);
      if (!row) throw designNotFound();
      // The right may have been revoked since the design was opened.
      await requireRight(person, row.ActivityId ?? 0, row.SchemaName);
      return row;
    },
  };
}
