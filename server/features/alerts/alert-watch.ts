/** Checks whether alerts must fire. Only one server checks at a time, and each alert fires once per subject. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { sinceCursor, type EventSpan } from '#server/automation/deliveries/event-cursor.ts';
import type { AlertReceivers } from '#shared/contract/alerts.ts';
import { readCalendar } from '#server/automation/schedules/additional/schedule-rows.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { dayOf as dayNumber, isBusinessDay } from '#shared/rules/schedules/days.ts';
import { judge, type ConditionDeps } from './alert-conditions.ts';
import { sendAlert, messageOf, subjectOf, notifyPeople, type NotifyDeps } from './alert-notify.ts';
import { dayBegin, dayOf, nextDeadline, type Late } from './alert-times.ts';
import {
  dueAlerts,
  dueEscalations,
  endedRuns,
  hasSucceededBetween,
  isThere,
  listWatching,
  runningRuns,
  starterOf,
  type Watched,
  type WatchedKind,
  type WatchedPage,
} from './alert-watch-repository.ts';
import { conditionOf, findAlert, updateAlert, type AlertRow } from './alerts-repository.ts';
import { sendSummaries, type SummaryDeps } from './daily-summary.ts';
import { createRuleAudience } from './rule-audience.ts';
import { writeRuleMails } from './rule-mails.ts';
import { checkRules, type RuleWatchDeps } from './rule-watch.ts';
import { subjectKey } from './subject-key.ts';

export interface AlertWatchDeps extends NotifyDeps, ConditionDeps, SummaryDeps, RuleWatchDeps {
  database: Database;
}

const PAGE = 500;
const KINDS: WatchedKind[] = ['activities', 'checklists'];
/**
 * Number of checked runs that this server remembers. Each check overlaps the end of the previous one, and remembered
 * runs need not be checked twice.
 */
const REMEMBERED = 20_000;

export function createAlertWatch(deps: AlertWatchDeps): () => Promise<void> {
  const seen = new Set<string>();
  return async () => {
    const judged: string[] = [];
    await sinceCursor(deps.database, 'alerts', async (trx, span) => {
      judged.length = 0;
      const watching = await listWatching(trx);
      const rules = watching.filter(({ Scope }) => Scope !== null);
      const alerts = new Map(watching.filter(({ Scope }) => Scope === null).map((alert) => [alert.Id, alert]));
      const poll: AlertPoll = { trx, deps, span, alerts, seen, judged };
      if (alerts.size > 0) {
        for (const kind of KINDS) {
          await checkEndedRuns(poll, kind);
          await checkRunningRuns(poll, kind);
        }
      }
      await checkRules({ trx, deps, span, rules, seen, judged });
      await checkDeadlines(poll);
      await escalate(poll);
      await mailAboutRules(trx, deps, span.now);
      await sendSummaries(trx, deps, span.now);
    });
    for (const key of judged) seen.add(key);
    for (const key of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(key);
    }
  };
}

interface AlertPoll {
  trx: Knex.Transaction;
  deps: AlertWatchDeps;
  span: EventSpan;
  alerts: ReadonlyMap<number, AlertRow>;
  seen: ReadonlySet<string>;
  judged: string[];
}

/** Reads one page after the other, so memory never holds more than one. */
async function* allPages(read: (page: WatchedPage) => Promise<Watched[]>): AsyncGenerator<Watched> {
  for (let after = { RunId: 0, AlertId: 0 }; ;) {
    const found = await read({ after, limit: PAGE });
    yield* found;
    const last = found.at(-1);
    if (!last || found.length < PAGE) return;
    after = { RunId: last.run.Id, AlertId: last.AlertId };
  }
}

async function checkEndedRuns(poll: AlertPoll, kind: WatchedKind): Promise<void> {
  for await (const watched of allPages((page) => endedRuns(poll.trx, kind, poll.span, page))) {
    const key = `${kind} ${watched.AlertId} ${watched.run.Id}`;
    if (poll.seen.has(key)) continue;
    poll.judged.push(key);
    await judgeRun(poll, kind, watched);
  }
}

async function checkRunningRuns(poll: AlertPoll, kind: WatchedKind): Promise<void> {
  const deps = { ...poll.deps, usual: oncePerOwner(poll.deps.usual) };
  for await (const watched of allPages((page) => runningRuns(poll.trx, kind, page)))
    await judgeRun({ ...poll, deps }, kind, watched);
}

/** All runs in progress of an activity or checklist are compared with the same earlier runs, so these are read once. */
function oncePerOwner(usual: ConditionDeps['usual']): ConditionDeps['usual'] {
  const known = new Map<number, Promise<number | null>>();
  return (db, run, isWorkflowRun) => {
    const found = known.get(run.OwnerId) ?? usual(db, run, isWorkflowRun);
    known.set(run.OwnerId, found);
    return found;
  };
}

async function judgeRun(
  { trx, deps, span, alerts }: AlertPoll,
  kind: WatchedKind,
  { AlertId, run }: Watched,
): Promise<void> {
  const alert = alerts.get(AlertId);
  if (!alert) return;
  const isWorkflowRun = kind === 'checklists';
  const condition = conditionOf(alert);
  const finding = await judge(trx, deps, { condition, run, isWorkflowRun, now: span.now });
  if (!finding) return;
  const of = { ActivityRunId: isWorkflowRun ? null : run.Id, ChecklistRunId: isWorkflowRun ? run.Id : null };
  const firing = { ...finding, ...of, Subject: subjectKey(run, isWorkflowRun) };
  await sendAlert(trx, deps, { alert, firing, starterId: run.UserId, now: span.now });
}

async function checkDeadlines({ trx, deps, span: { now } }: AlertPoll): Promise<void> {
  for (const alert of await dueAlerts(trx, now)) {
    const condition = conditionOf(alert);
    if (condition.Kind !== 'Late' || alert.NextTime === null) continue;
    const { TimeZone } = condition;
    const deadline = alert.NextTime;
    await updateAlert(trx, alert.Id, { NextTime: nextDeadline(now, condition) });
    if (!(await isThere(trx, alert)) || (await isHoliday(trx, condition, deadline))) continue;
    if (await hasSucceededBetween(trx, alert, dayBegin(deadline, TimeZone), deadline)) continue;
    const at = new Intl.DateTimeFormat('en-GB', { timeZone: TimeZone, hour: '2-digit', minute: '2-digit' });
    const day = dayOf(deadline, TimeZone);
    // Names the day: the server may have been down at the deadline, and escalations, summaries and mails after quiet
    // hours repeat the message on a later day.
    const Message = `No run succeeded by ${at.format(deadline)} on ${day} (${TimeZone})`;
    const none = { ActivityRunId: null, ChecklistRunId: null, Category: LogCategory.Error };
    const firing = { ...none, Message, Subject: `late ${day}` };
    await sendAlert(trx, deps, { alert, firing, starterId: null, now });
  }
}

async function isHoliday(trx: Knex.Transaction, { CalendarId, TimeZone }: Late, deadline: Date): Promise<boolean> {
  const calendar = await readCalendar(trx, CalendarId);
  return calendar !== null && !isBusinessDay(dayNumber(dayOf(deadline, TimeZone)), calendar);
}

/** Notifies the next receivers if nobody has seen the alert in time. */
async function escalate({ trx, deps, span: { now } }: AlertPoll): Promise<void> {
  for (const firing of await dueEscalations(trx, now)) {
    await trx('AlertFirings').where({ Id: firing.Id }).update({ EscalateTime: null });
    const alert = await findAlert(trx, firing.AlertId);
    if (!alert || firing.SeenTime !== null) continue;
    const about = { alert, id: firing.Id, message: firing.Message, isTest: firing.IsTest, isEscalated: true };
    const alertMessage = await messageOf(trx, deps, about);
    const subject = subjectOf(alert, firing, await starterOf(trx, firing));
    const receivers = JSON.parse(alert.NextReceivers) as AlertReceivers;
    await notifyPeople(trx, deps, { id: firing.Id, receivers, subject, of: firing, alertMessage, now });
  }
}

async function mailAboutRules(trx: Knex.Transaction, deps: AlertWatchDeps, now: Date): Promise<void> {
  const ruleAudience = createRuleAudience(trx, deps.access, (db, userId) => deps.audience.holder(db, userId));
  await writeRuleMails(trx, { ...deps, ruleAudience }, now);
}
