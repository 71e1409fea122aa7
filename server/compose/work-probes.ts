/** Work probes of a server's polling parts. */
import { createWorkProbes, type WorkProbe, type Question } from '#server/db/work-probes.ts';
import type { Database } from '#server/db/database.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { endedSinceLastPoll } from '#server/automation/deliveries/event-cursor.ts';
import { waitingDeliveries } from '#server/automation/deliveries/delivery-rows.ts';
import { waitingMails } from '#server/features/approvals/approvals-module.ts';
import { dueApprovals } from '#server/workflows/approvals/due-approvals.ts';
import { SCHEDULER_POLL_SECONDS } from '#server/automation/schedules/scheduler.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';

/** Work probes by part. */
export type ServerWorkProbes = Readonly<Record<keyof typeof QUESTIONS, WorkProbe>>;

/** Longer than the time until the poll after the next, however old the answer is. */
const SCHEDULES_AHEAD_SECONDS = SCHEDULER_POLL_SECONDS + 2;

const QUESTIONS = {
  runs: ({ knex }) => [whereStatus(knex('ActivityRuns'), PENDING_STATUSES)],
  chains: ({ knex }) => [
    whereStatus(knex('ChecklistRuns'), PENDING_STATUSES),
    dueApprovals(knex, 'ExpiryTime'),
    dueApprovals(knex, 'RemindTime'),
  ],
  childRuns: ({ knex }) => [knex('RunStarts').whereNull('EndTime')],
  schedules: ({ knex, dialect }) => [
    ...['ActivitySchedules', 'ChecklistSchedules', 'Timetables'].map((table) =>
      knex(table).where('NextTime', '<=', dialect.nowPlus(knex, SCHEDULES_AHEAD_SECONDS)),
    ),
    ...['ScheduledRuns', 'ScheduledChecklistRuns'].map((table) => knex(table).whereNull('SettledTime')),
  ],
  triggers: ({ knex }) => [knex('Triggers')],
  // Includes disabled ones: while they are disabled, events are skipped instead of being retained for them.
  events: ({ knex, dialect }) => [
    knex('Webhooks'),
    // The default rules need no poll until a run ends.
    knex('Alerts').where((own) => void own.whereNull('Scope').orWhereNot('Scope', 'Owner')),
    endedSinceLastPoll({ knex, dialect }, 'ActivityRuns'),
    endedSinceLastPoll({ knex, dialect }, 'ChecklistRuns'),
    knex('AlertNotices').where('MailTime', '<=', dialect.now(knex)),
    knex('AlertFirings').where('EscalateTime', '<=', dialect.now(knex)),
    knex('NotificationSettings').where('SummaryNext', '<=', dialect.now(knex)),
  ],
  deliveries: (database) => [waitingDeliveries(database.knex('Deliveries'), database)],
  approvalMails: waitingMails,
} satisfies Record<string, Question>;

export const createServerWorkProbes = (database: Pick<Database, 'knex' | 'dialect'>): ServerWorkProbes =>
  createWorkProbes(database, QUESTIONS);
