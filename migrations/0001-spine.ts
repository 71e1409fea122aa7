/**
 * Users and sessions, activities and their versions, runs with their values and log, files. The same migrations serve
 * PostgreSQL and SQL Server.
 */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;

async function createUsers(knex: Knex): Promise<void> {
  await knex.schema.createTable('Users', (t) => {
    t.increments('UserId');
    t.string('UserName', 50).notNullable();
    // The name in lower case. Names must differ by more than case on both databases, whatever their collation.
    t.string('UserNameKey', 50).notNullable();
    t.string('Source', 10).notNullable();
    t.string('FirstName', 50).notNullable();
    t.string('MiddleName', 50).notNullable().defaultTo('');
    t.string('LastName', 50).notNullable();
    t.string('Email', 256).notNullable().defaultTo('');
    t.string('PasswordHash', 255);
    t.boolean('MustChangePassword').notNullable().defaultTo(false);
    t.boolean('Enabled').notNullable().defaultTo(true);
    t.boolean('IsUserAdmin').notNullable().defaultTo(false);
    t.timestamp('CreatedTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('LastLoginTime', time);
    t.timestamp('LastFailedLoginTime', time);
    t.integer('FailedLogins').notNullable().defaultTo(0);
    // Constraints instead of indexes: Knex adds a condition to unique indexes on SQL Server. Queries by some of their
    // columns could then not use them.
    t.unique(['UserNameKey'], { indexName: 'UX_Users_UserNameKey', useConstraint: true });
  });
  await knex.schema.createTable('Roles', (t) => {
    t.string('Name', 50).primary({ constraintName: 'PK_Roles' });
    t.boolean('IsActive').notNullable().defaultTo(true);
  });
  await knex.schema.createTable('RoleUsers', (t) => {
    t.string('RoleName', 50).notNullable().references('Name').inTable('Roles').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.primary(['RoleName', 'UserId'], { constraintName: 'PK_RoleUsers' });
    t.index(['UserId'], 'IX_RoleUsers_UserId');
  });
  await knex.schema.createTable('Grants', (t) => {
    t.increments('Id');
    t.string('RightName', 60).notNullable();
    // Both are empty if the grant is for All.
    t.string('KeyColumnName', 60).notNullable().defaultTo('');
    t.string('KeyColumnValue', 100).notNullable().defaultTo('');
    t.string('GranteeKind', 10).notNullable();
    // User Id, role name, or '' for the internet.
    t.string('Grantee', 50).notNullable().defaultTo('');
    t.smallint('Access').notNullable();
    t.unique(['GranteeKind', 'Grantee', 'RightName', 'KeyColumnName', 'KeyColumnValue'], {
      indexName: 'UX_Grants',
      useConstraint: true,
    });
    t.index(['RightName', 'KeyColumnName', 'KeyColumnValue'], 'IX_Grants_RightName');
  });
}

async function createSessions(knex: Knex): Promise<void> {
  await knex.schema.createTable('Sessions', (t) => {
    t.string('SessionId', 43).primary({ constraintName: 'PK_Sessions' });
    t.integer('UserId').notNullable().references('UserId').inTable('Users').onDelete('CASCADE');
    t.timestamp('CreatedTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('LastUsedTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('EndedTime', time);
    t.string('Address', 64).notNullable().defaultTo('');
    t.index(['UserId'], 'IX_Sessions_UserId');
  });
  await knex.schema.createTable('AccessTokens', (t) => {
    // SHA-256 of the token, base64url. A copy of the database cannot be used to sign in.
    t.string('TokenHash', 43).primary({ constraintName: 'PK_AccessTokens' });
    t.string('SessionId', 43).notNullable().references('SessionId').inTable('Sessions').onDelete('CASCADE');
    t.timestamp('ExpiryTime', time).notNullable();
    t.timestamp('ReplacedTime', time);
    t.index(['SessionId'], 'IX_AccessTokens_SessionId');
    t.index(['ExpiryTime'], 'IX_AccessTokens_ExpiryTime');
  });
  await knex.schema.createTable('PasswordKeys', (t) => {
    t.string('KeyId', 43).primary({ constraintName: 'PK_PasswordKeys' });
    t.string('UserNameKey', 50).notNullable();
    t.text('PrivateKey').notNullable();
    t.timestamp('ExpiryTime', time).notNullable();
    t.index(['ExpiryTime'], 'IX_PasswordKeys_ExpiryTime');
  });
  await knex.schema.createTable('Settings', (t) => {
    t.string('Name', 60).primary({ constraintName: 'PK_Settings' });
    t.text('Value').notNullable();
  });
}

async function createFiles(knex: Knex): Promise<void> {
  await knex.schema.createTable('StoredFiles', (t) => {
    // A random Id, the only value that a client ever sees of a file.
    t.string('FileId', 43).primary({ constraintName: 'PK_StoredFiles' });
    t.string('StoreKey', 100).notNullable();
    t.string('FileName', 255).notNullable();
    t.bigInteger('ContentLength').notNullable();
    t.string('Sha256', 64).notNullable();
    // upload, version, output or download (created for one token). An upload that no run uses is deleted after a day.
    t.string('Purpose', 10).notNullable();
    t.integer('UserId').references('UserId').inTable('Users');
    t.integer('ActivityParameterId');
    t.timestamp('CreatedTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('UsedTime', time);
    t.index(['Purpose', 'CreatedTime'], 'IX_StoredFiles_Purpose');
  });
  await knex.schema.createTable('DownloadTokens', (t) => {
    t.string('TokenHash', 43).primary({ constraintName: 'PK_DownloadTokens' });
    t.string('FileId', 43).notNullable().references('FileId').inTable('StoredFiles').onDelete('CASCADE');
    t.timestamp('ExpiryTime', time).notNullable();
    t.index(['ExpiryTime'], 'IX_DownloadTokens_ExpiryTime');
    t.index(['FileId'], 'IX_DownloadTokens_FileId');
  });
}

async function createActivities(knex: Knex): Promise<void> {
  await knex.schema.createTable('Schemas', (t) => {
    t.string('Name', 30).primary({ constraintName: 'PK_Schemas' });
    t.string('DisplayName', 60).notNullable();
    t.integer('Order').notNullable().defaultTo(0);
  });
  await knex.schema.createTable('Activities', (t) => {
    t.increments('Id');
    t.string('Name', 30).notNullable();
    t.string('NameKey', 30).notNullable();
    t.string('Type', 20).notNullable();
    t.string('ProcedureName', 260);
    t.string('Description', 200).notNullable().defaultTo('');
    t.boolean('SingleRun').notNullable();
    t.boolean('IsActive').notNullable();
    t.string('Schema', 30).notNullable().references('Name').inTable('Schemas');
    t.string('Group', 30).notNullable().defaultTo('');
    t.string('Function', 30).notNullable().defaultTo('');
    t.integer('Order');
    t.float('MemoryCost', 53).notNullable().defaultTo(0);
    t.text('DisplayInfo').notNullable();
    t.integer('Version').notNullable();
    // Increases with every change of the row, so that sums alone show whether a list in memory is current.
    t.integer('Revision').notNullable().defaultTo(0);
    t.timestamp('Modified', time).notNullable().defaultTo(knex.fn.now());
    t.unique(['Schema', 'NameKey'], { indexName: 'UX_Activities_Schema_NameKey', useConstraint: true });
  });
  await knex.schema.createTable('ActivityVersions', (t) => {
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities');
    t.integer('Version').notNullable();
    t.string('FileId', 43).references('FileId').inTable('StoredFiles');
    t.bigInteger('ContentLength').notNullable();
    t.string('ChangeDescription', 1000).notNullable().defaultTo('');
    t.timestamp('Modified', time).notNullable().defaultTo(knex.fn.now());
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    // Inputs, outputs and steps that the workbook defines, and their cells: JSON.
    t.text('Definition').notNullable();
    t.text('Fidelity');
    // Only the counts of the fidelity report, for lists: JSON.
    t.string('FidelitySummary', 200);
    t.primary(['ActivityId', 'Version'], { constraintName: 'PK_ActivityVersions' });
    t.index(['Modified', 'ActivityId', 'Version'], 'IX_ActivityVersions_Modified');
  });
  // An input or output has the same Id in all versions of its activity, as long as its name stays the same.
  await knex.schema.createTable('ActivityParameters', (t) => {
    t.increments('Id');
    t.integer('ActivityId').notNullable().references('Id').inTable('Activities');
    t.string('Direction', 6).notNullable();
    t.string('Name', 255).notNullable();
    t.string('NameKey', 255).notNullable();
    t.text('PresetValue');
    t.unique(['ActivityId', 'Direction', 'NameKey'], { indexName: 'UX_ActivityParameters', useConstraint: true });
  });
}

async function createRuns(knex: Knex): Promise<void> {
  await knex.schema.createTable('ActivityRuns', (t) => {
    t.bigIncrements('Id');
    t.integer('ActivityId').notNullable();
    t.integer('ActivityVersion').notNullable();
    t.string('Status', 20).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.string('UniqueId', 64);
    t.bigInteger('RetryOf');
    t.float('MemoryCost', 53).notNullable();
    // True if the activity prevented simultaneous runs when this run was started.
    t.boolean('SingleRun').notNullable().defaultTo(false);
    t.timestamp('QueueTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('PickupTime', time);
    t.timestamp('StartTime', time);
    t.timestamp('EndTime', time);
    t.timestamp('CancelTime', time);
    // The worker that executes the run, and the end of its lease. Fence increases with each claim, so that a worker
    // that lost its lease cannot finish the run.
    t.string('WorkerId', 64);
    t.timestamp('LeaseUntil', time);
    t.integer('Fence').notNullable().defaultTo(0);
    t.string('Phase', 100).notNullable().defaultTo('');
    t.float('Share', 53);
    t.foreign(['ActivityId', 'ActivityVersion'], 'FK_ActivityRuns_Version')
      .references(['ActivityId', 'Version'])
      .inTable('ActivityVersions');
    t.index(['ActivityId', 'Id'], 'IX_ActivityRuns_ActivityId');
    t.index(['UserId', 'Id'], 'IX_ActivityRuns_UserId');
    t.index(['UserId', 'ActivityId', 'Id'], 'IX_ActivityRuns_UserId_ActivityId');
    t.index(['Status', 'Id'], 'IX_ActivityRuns_Pending', {
      // Literals, because an index definition cannot contain bound values.
      predicate: knex.whereRaw("?? in ('Queued', 'QueuedInSeq', 'PickedUp', 'Started')", ['Status']),
    });
    t.unique(['UserId', 'UniqueId'], {
      indexName: 'UX_ActivityRuns_UniqueId',
      predicate: knex.whereNotNull('UniqueId'),
    });
  });
  await knex.schema.createTable('RunInputs', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('ActivityRunId').notNullable().references('Id').inTable('ActivityRuns').onDelete('CASCADE');
    t.integer('ActivityParameterId').notNullable();
    t.integer('ArrayIndex').notNullable().defaultTo(0);
    t.text('Value');
    // For tables and lists; null for a single cell.
    t.integer('Rows');
    t.boolean('UseDefault').notNullable().defaultTo(false);
    t.boolean('HasPresetValue').notNullable().defaultTo(false);
    t.string('FileId', 43).references('FileId').inTable('StoredFiles');
    t.string('FileName', 255);
    t.bigInteger('ContentLength');
    t.index(['ActivityRunId'], 'IX_RunInputs_ActivityRunId');
    t.index(['FileId'], 'IX_RunInputs_FileId');
  });
  await knex.schema.createTable('RunOutputs', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('ActivityRunId').notNullable().references('Id').inTable('ActivityRuns').onDelete('CASCADE');
    // Null for a file that does not belong to an output: the calculated workbook.
    t.integer('ActivityParameterId');
    t.integer('ArrayIndex').notNullable().defaultTo(0);
    t.text('Value');
    t.integer('Rows');
    t.string('FileId', 43).references('FileId').inTable('StoredFiles');
    t.string('FileName', 255);
    t.bigInteger('ContentLength');
    t.index(['ActivityRunId'], 'IX_RunOutputs_ActivityRunId');
    t.index(['FileId'], 'IX_RunOutputs_FileId');
  });
  await knex.schema.createTable('RunLogEntries', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('ActivityRunId').notNullable().references('Id').inTable('ActivityRuns').onDelete('CASCADE');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.integer('StatusCode').notNullable();
    t.smallint('Category').notNullable();
    t.text('Message').notNullable();
    t.index(['ActivityRunId', 'Id'], 'IX_RunLogEntries_ActivityRunId');
  });
}

export async function up(knex: Knex): Promise<void> {
  await createUsers(knex);
  await createSessions(knex);
  await createFiles(knex);
  await createActivities(knex);
  await createRuns(knex);
}

const TABLES = [
  'RunLogEntries',
  'RunOutputs',
  'RunInputs',
  'ActivityRuns',
  'ActivityParameters',
  'ActivityVersions',
  'Activities',
  'Schemas',
  'DownloadTokens',
  'StoredFiles',
  'Settings',
  'PasswordKeys',
  'AccessTokens',
  'Sessions',
  'Grants',
  'RoleUsers',
  'Roles',
  'Users',
];

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.schema.dropTable(table);
}
