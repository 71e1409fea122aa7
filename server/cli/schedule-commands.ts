/** Commands for schedules: schedules, schedule. */
import type { Command } from 'commander';
import type { Client } from '#shared/client/client.ts';
import { findActivity } from '#shared/client/runs.ts';
import { profile } from '#shared/contract/auth.ts';
import {
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  type ScheduledItem,
} from '#shared/contract/schedule-overview.ts';
import { deleteSchedule, schedule, updateSchedule, type SchedulePlan } from '#shared/contract/schedules.ts';
import { counted } from '#shared/codecs/counted.ts';
import { CliError } from './cli-error.ts';
import type { CommandContext } from './run-commands.ts';
import { printable, printJson, printTable } from './terminal.ts';

const MINUTES_OF_DAY = 1440;

interface ScheduleOptions {
  at?: number;
  retries?: number;
  retryMinutes?: number;
  pause?: boolean;
  resume?: boolean;
  remove?: boolean;
}

export function addScheduleCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command('schedules')
    .summary('list the schedules, next occurrence first')
    .option('--name <text>', 'only those whose name contains this text')
    .option('--json', 'print them as JSON')
    .action(async ({ name, json }: { name?: string; json?: boolean }) => {
      const items = await allSchedules(context.client(), name);
      if (json) return printJson(terminal, items);
      const rows = items.map((item) => [
        String(item.Id),
        item.Kind === 'Activity' ? 'Activity' : item.IsWorkflow ? 'Workflow' : 'Checklist',
        item.Timetable === null ? item.Name : `${item.Name}: ${item.Timetable.Name}`,
        item.NextTimes[0] ?? '',
        item.PausedTime === null ? (item.IsActive ? '' : 'not active') : 'paused',
        item.UserFullName,
      ]);
      printTable(terminal, ['Number', 'Kind', 'Name', 'Next', 'State', 'Runs as'], rows);
    });
  program
    .command('schedule')
    .summary('show or set the daily schedule of an activity')
    .description(
      'Without options, shows the schedule. --at sets its time, in the time zone of the portal. Options that you omit stay unchanged.\n' +
        'The activity runs as the person who last set the schedule.\n' +
        'Create additional schedules, with weekdays and holidays, in the portal.',
    )
    .argument('<activity>', 'number, name, or Schema/Name')
    .option('--at <time>', 'time of day of the run, such as 06:30', readTime)
    .option('--retries <number>', 'how many times a failed run is retried', readCount)
    .option('--retry-minutes <number>', 'minutes between attempts', readCount)
    .option('--pause', 'pause the schedule')
    .option('--resume', 'resume the schedule with its next occurrence')
    .option('--remove', 'remove the schedule')
    .action((which: string, options: ScheduleOptions) => changeSchedule(context, which, options));
}

async function allSchedules(client: Client, Name: string | undefined): Promise<ScheduledItem[]> {
  const items: ScheduledItem[] = [];
  for (let After: string | undefined; ;) {
    const { Items, Next } = await client.call(listSchedules, { query: { Name, After } });
    items.push(...Items);
    if (Next === null) return items;
    After = Next;
  }
}

async function changeSchedule(context: CommandContext, which: string, options: ScheduleOptions) {
  const { terminal } = context;
  const { at, retries, retryMinutes, pause, resume, remove } = options;
  const isSet = [at, retries, retryMinutes].some((option) => option !== undefined);
  if ([isSet, pause, resume, remove].filter(Boolean).length > 1) {
    throw new CliError('Set, pause, resume or remove a schedule: use only one of these at a time');
  }
  const client = context.client();
  const { Id: id } = await findActivity(client, which);
  const params = { id };
  if (pause) await client.call(pauseSchedule, { params });
  if (resume) await client.call(resumeSchedule, { params });
  if (remove) await client.call(deleteSchedule, { params });
  if (isSet) await setSchedule(client, id, options);
  const { ActivityName, Schedule, UserFullName, NextTime, PausedTime, TimeZone } = await client.call(schedule, {
    params,
  });
  if (Schedule === null) return terminal.print(printable(`${ActivityName} has no schedule`));
  const { TimeOfDay, RetryCount, RetryInterval } = JSON.parse(Schedule) as SchedulePlan;
  terminal.print(printable(`${ActivityName} runs daily at ${timeText(TimeOfDay)} (${TimeZone}), as ${UserFullName}`));
  if (RetryCount > 0)
    terminal.print(`Retried ${counted(RetryCount, 'time')}, after ${counted(RetryInterval, 'minute')}`);
  terminal.print(PausedTime === null ? `Next: ${NextTime}` : `Paused since ${PausedTime}`);
}

async function setSchedule(client: Client, ActivityId: number, options: ScheduleOptions): Promise<void> {
  const now = await client.call(schedule, { params: { id: ActivityId } });
  const before = now.Schedule === null ? undefined : (JSON.parse(now.Schedule) as SchedulePlan);
  const TimeOfDay = options.at ?? before?.TimeOfDay;
  if (TimeOfDay === undefined) throw new CliError('The activity has no schedule yet: set its time with --at');
  const plan: SchedulePlan = {
    ScheduleType: 'Daily',
    TimeOfDay,
    RetryCount: options.retries ?? before?.RetryCount ?? 0,
    RetryInterval: options.retryMinutes ?? (before?.RetryInterval || 10),
  };
  // A schedule runs as the person who saves it.
  const { UserId } = await client.call(profile, { body: [] });
  const { Revision } = now;
  await client.call(updateSchedule, { body: { ActivityId, UserId, Schedule: JSON.stringify(plan), Revision } });
}

/** Returns the time as a fraction of the day. */
function readTime(text: string): number {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour === undefined) throw new CliError(`"${text}" is not a time of day, such as 06:30`);
  return (Number(hour) * 60 + Number(minute)) / MINUTES_OF_DAY;
}

function timeText(share: number): string {
  const minutes = Math.round((share % 1) * MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function readCount(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new CliError(`"${text}" is not a whole number`);
}
