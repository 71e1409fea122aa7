/** Approvals: what users were asked in workflow runs, who may decide, what they decided, and the mails about it. */
import type { Knex } from 'knex';

const time = { useTz: true, precision: 3 } as const;
const STEP_KEY = 40;

async function createApprovals(knex: Knex): Promise<void> {
  const isOpen = knex.whereRaw("?? = 'Open'", ['Status']);
  await knex.schema.createTable('Approvals', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('ChecklistRunId').notNullable();
    t.string('StepKey', STEP_KEY).notNullable();
    // Name of the step when it began.
    t.string('Name', 60).notNullable();
    t.text('Text').notNullable();
    t.integer('Needed').notNullable();
    t.string('OnExpiry', 10).notNullable();
    // Open, Approved, Rejected, Expired or Cancelled.
    t.string('Status', 20).notNullable();
    // The user who started the run and is notified of the end of the approval.
    t.integer('StarterId').notNullable().references('UserId').inTable('Users');
    t.boolean('StarterMayApprove').notNullable();
    t.timestamp('StartTime', time).notNullable().defaultTo(knex.fn.now());
    t.timestamp('ExpiryTime', time);
    t.timestamp('RemindTime', time);
    t.timestamp('RemindedTime', time);
    t.timestamp('EndTime', time);
    // When the starter dismissed the notification of its end.
    t.timestamp('DismissedTime', time);
    t.foreign(['ChecklistRunId', 'StepKey'], 'FK_Approvals_Step')
      .references(['ChecklistRunId', 'StepKey'])
      .inTable('ChecklistRunSteps')
      .onDelete('CASCADE');
    t.unique(['ChecklistRunId', 'StepKey'], { indexName: 'UX_Approvals_Step', useConstraint: true });
    t.index(['ExpiryTime'], 'IX_Approvals_ExpiryTime', { predicate: isOpen });
    t.index(['RemindTime'], 'IX_Approvals_RemindTime', { predicate: isOpen });
    t.index(['Id'], 'IX_Approvals_Open', { predicate: isOpen });
    t.index(['StarterId', 'EndTime'], 'IX_Approvals_StarterId');
  });
}

/** Rows that belong to an approval and are deleted with it. */
async function createPart(knex: Knex, table: string, columns: (t: Knex.CreateTableBuilder) => void): Promise<void> {
  await knex.schema.createTable(table, (t) => {
    t.bigInteger('ApprovalId').notNullable().references('Id').inTable('Approvals').onDelete('CASCADE');
    columns(t);
  });
}

async function createPeople(knex: Knex): Promise<void> {
  // Role names. The members are looked up when somebody decides.
  await createPart(knex, 'ApprovalRoles', (t) => {
    t.string('RoleName', 50).notNullable();
    t.primary(['ApprovalId', 'RoleName'], { constraintName: 'PK_ApprovalRoles' });
    t.index(['RoleName', 'ApprovalId'], 'IX_ApprovalRoles_RoleName');
  });
  await createPart(knex, 'ApprovalUsers', (t) => {
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.primary(['ApprovalId', 'UserId'], { constraintName: 'PK_ApprovalUsers' });
    t.index(['UserId', 'ApprovalId'], 'IX_ApprovalUsers_UserId');
  });
  // Users who may not decide even if named or in a named role, because they started the run or one that it continues.
  await createPart(knex, 'ApprovalStarters', (t) => {
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.primary(['ApprovalId', 'UserId'], { constraintName: 'PK_ApprovalStarters' });
  });
  await createPart(knex, 'ApprovalDecisions', (t) => {
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.boolean('Approved').notNullable();
    t.string('Comment', 1000).notNullable().defaultTo('');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.primary(['ApprovalId', 'UserId'], { constraintName: 'PK_ApprovalDecisions' });
    t.index(['UserId', 'ApprovalId'], 'IX_ApprovalDecisions_UserId');
  });
}

async function createContents(knex: Knex): Promise<void> {
  // Values shown to the approvers, as they were when the step began.
  await createPart(knex, 'ApprovalValues', (t) => {
    t.integer('Position').notNullable();
    t.string('Name', 500).notNullable();
    // OutputInfo: JSON.
    t.text('Info').notNullable();
    t.text('Value');
    t.primary(['ApprovalId', 'Position'], { constraintName: 'PK_ApprovalValues' });
  });
  // No foreign key to the file: the row documents what was shown, even after the file has been purged.
  await createPart(knex, 'ApprovalFiles', (t) => {
    t.integer('Position').notNullable();
    t.integer('ArrayIndex').notNullable();
    t.string('FileId', 43).notNullable();
    t.string('FileName', 255).notNullable();
    t.bigInteger('ContentLength').notNullable();
    t.primary(['ApprovalId', 'Position', 'ArrayIndex'], { constraintName: 'PK_ApprovalFiles' });
  });
  await knex.schema.createTable('ApprovalMails', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('ApprovalId').notNullable().references('Id').inTable('Approvals').onDelete('CASCADE');
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    // Begun, Reminder or Ended.
    t.string('Kind', 10).notNullable();
    t.timestamp('DueTime', time).notNullable().defaultTo(knex.fn.now());
    t.integer('Attempts').notNullable().defaultTo(0);
    // After this time, no other server sends the mail.
    t.timestamp('TakenTime', time);
    t.unique(['ApprovalId', 'UserId', 'Kind'], { indexName: 'UX_ApprovalMails', useConstraint: true });
    t.index(['DueTime', 'Id'], 'IX_ApprovalMails_Due', { predicate: knex.whereNull('TakenTime') });
  });
}

const REPLACED = ['ExpiryTime', 'RemindTime', 'RemindedTime'];

export async function up(knex: Knex): Promise<void> {
  await createApprovals(knex);
  await createPeople(knex);
  await createContents(knex);
  // Nothing was ever stored in this table.
  await knex.schema.dropTable('ChecklistApprovals');
  await knex.schema.alterTable('ChecklistRunSteps', (t) => void t.dropColumns(...REPLACED));
}

const TABLES = [
  'ApprovalMails',
  'ApprovalFiles',
  'ApprovalValues',
  'ApprovalDecisions',
  'ApprovalStarters',
  'ApprovalUsers',
  'ApprovalRoles',
  'Approvals',
];

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.schema.dropTable(table);
  await knex.schema.alterTable('ChecklistRunSteps', (t) => {
    for (const name of REPLACED) t.timestamp(name, time);
  });
  await knex.schema.createTable('ChecklistApprovals', (t) => {
    t.bigIncrements('Id');
    t.bigInteger('ChecklistRunId').notNullable();
    t.string('StepKey', STEP_KEY).notNullable();
    t.integer('UserId').notNullable().references('UserId').inTable('Users');
    t.boolean('Approved').notNullable();
    t.string('Comment', 1000).notNullable().defaultTo('');
    t.timestamp('Time', time).notNullable().defaultTo(knex.fn.now());
    t.foreign(['ChecklistRunId', 'StepKey'], 'FK_ChecklistApprovals_Step')
      .references(['ChecklistRunId', 'StepKey'])
      .inTable('ChecklistRunSteps')
      .onDelete('CASCADE');
    t.unique(['ChecklistRunId', 'StepKey', 'UserId'], { indexName: 'UX_ChecklistApprovals', useConstraint: true });
  });
}
