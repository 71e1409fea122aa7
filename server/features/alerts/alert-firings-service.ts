/**
 * Shows a fired alert to its receivers and to people who may edit its activity or checklist, and records who has seen
 * it.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { AlertFiringDetails } from '#shared/contract/alert-firings.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { AlertAudience } from './alert-audience.ts';
import { readFacts } from './alert-facts.ts';
import { subjectOf } from './alert-notify.ts';
import { firingView } from './alert-views.ts';
import { factsFor } from './facts-for-reader.ts';
import { starterOf } from './alert-watch-repository.ts';
import {
  dismissNotice,
  findAlert,
  findFiring,
  markSeen,
  ownerName,
  wasNotified,
  type AlertRow,
  type FiringRow,
} from './alerts-repository.ts';

export interface AlertFiringsService {
  /** Throws an AppError 404 for everybody else. */
  get(person: Person, id: number): Promise<AlertFiringDetails>;
  see(person: Person, id: number): Promise<void>;
  dismiss(person: Person, noticeId: number): Promise<void>;
}

const notFound = (): AppError => new AppError('firingNotFound', 404, 'There is no such alert');

/** Identifies the activity or checklist that an alert belongs to. */
export type AlertOf = Pick<AlertRow, 'ActivityId' | 'ChecklistId' | 'Scope' | 'UserId'>;

/** Returns what the alert fired for: a rule covers many activities, and its firings say which. */
const firedFor = (alert: AlertRow, firing: FiringRow): Pick<AlertRow, 'ActivityId' | 'ChecklistId'> =>
  alert.Scope === null ? alert : firing;

export interface AlertFiringsDeps {
  database: Database;
  audience: AlertAudience;
  mayEdit: (person: Person, alert: AlertOf) => Promise<boolean>;
}

export function createAlertFiringsService({ database, audience, mayEdit }: AlertFiringsDeps): AlertFiringsService {
  const { knex, dialect } = database;

  async function require(person: Person, id: number): Promise<{ firing: FiringRow; alert: AlertRow }> {
    const firing = await findFiring(knex, id);
    const alert = firing && (await findAlert(knex, firing.AlertId));
    if (!firing || !alert) throw notFound();
    const subject = subjectOf(firedFor(alert, firing), firing, await starterOf(knex, firing));
    const isTheirs = (await wasNotified(knex, id, person.UserId)) || (await mayEdit(person, alert));
    if (!isTheirs || !(await audience.mayLearn(knex, person, subject))) throw notFound();
    return { firing, alert };
  }

  return {
    get: async (person, id) => {
      const { firing, alert } = await require(person, id);
      const { ActivityId, ChecklistId } = firedFor(alert, firing);
      const [table, runId] =
        ActivityId === null ? ['ChecklistRuns', firing.ChecklistRunId] : ['ActivityRuns', firing.ActivityRunId];
      const run =
        runId === null
          ? undefined
          : await knex(table).where('Id', runId).first<{ Status: RunStatus } | undefined>('Status');
      const names = { AlertName: alert.Name, Name: await ownerName(knex, { ActivityId, ChecklistId }) };
      const facts = await factsFor(knex, audience, person, await readFacts(knex, firing));
      return {
        ...firingView(firing),
        ...names,
        Scope: alert.Scope,
        ActivityId,
        ChecklistId,
        Status: run?.Status ?? null,
        Facts: facts && {
          Error: facts.error,
          Step: facts.step,
          Starter: facts.starter,
          Started: facts.started.toISOString(),
          Ended: facts.ended?.toISOString() ?? null,
        },
      };
    },
    see: async (person, id) => {
      await require(person, id);
      // Only a receiver counts as having seen the alert, not an editor who merely views the list.
      if (await wasNotified(knex, id, person.UserId)) await markSeen(knex, dialect, id, person.UserId);
    },
    dismiss: async (person, noticeId) => {
      if (!(await dismissNotice(knex, dialect, noticeId, person.UserId))) throw notFound();
      const row = await knex('AlertNotices').where('Id', noticeId).first<{ AlertFiringId: number }>('AlertFiringId');
      await markSeen(knex, dialect, row.AlertFiringId, person.UserId);
    },
  };
}
