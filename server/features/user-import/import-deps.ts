/** What previews and imports of users need, and who asks for them. */
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { RolesService } from '#server/features/roles/roles-service.ts';
import type { Actor } from '#server/access/actor.ts';
import type { UsersAdminService } from '#server/features/users/users-admin-service.ts';

/** Where new users come from; local if absent. */
export interface ImportOrigin {
  Source?: 'Local' | 'AD' | 'SSO';
  SourceName?: string;
}

/** The caller, as a holder of rights and as the person that the log of security actions names. */
export interface Who {
  person: Person;
  actor: Actor;
}

export interface UserImportDeps {
  database: Pick<Database, 'knex'>;
  users: Pick<UsersAdminService, 'abilities' | 'create' | 'profile' | 'enable' | 'disable'>;
  roles: Pick<RolesService, 'list' | 'include' | 'requireIncludable' | 'rolesOfUsers'>;
  rights: Pick<RightsService, 'require'>;
  log: Log;
}
