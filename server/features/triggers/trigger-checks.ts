/** Checks of a trigger before it is stored. Each check throws an AppError 400 that names the field. */
import { AppError } from '#server/base/app-error.ts';
import type { StoredTriggerInput } from '#server/automation/triggers/trigger-row.ts';
import type { AskedInputs } from '#server/features/additional-schedules/schedule-owners-service.ts';
import { isTimeZone } from '#server/base/zone-time.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { TriggerInput, TriggerPlan, TriggerUpdate } from '#shared/contract/triggers.ts';
import { parseRelativeDate } from '#shared/rules/schedules/relative-dates.ts';

export function refuse(field: string, message: string): never {
  throw new AppError('triggerInvalid', 400, message, { modelState: { [field]: [message] } });
}

/** Checks the inputs and returns them as they are stored. */
export function checkInputs({ Plan, Inputs }: TriggerUpdate, asked: AskedInputs): StoredTriggerInput[] {
  const names = new Set<string>();
  return Inputs.map((triggerInput) => {
    const { Name } = triggerInput;
    const input = asked.Inputs.find((one) => one.Name === Name);
    if (!input) refuse(Name, `There is no input ${Name} that takes a single value`);
    if (names.has(Name)) refuse(Name, `${Name} is given twice`);
    names.add(Name);
    checkInput(triggerInput, input.Kind, Plan);
    return { ...triggerInput, Kind: input.Kind };
  });
}

function checkInput({ Name, Value, RelativeDate, From }: TriggerInput, kind: string, plan: TriggerPlan): void {
  if ([Value, RelativeDate, From].filter((one) => one !== null).length !== 1)
    refuse(Name, `Give ${Name} a value, a relative date, or a source for its value`);
  if (Value !== null && !isJson(Value)) refuse(Name, `The value of ${Name} is not valid JSON`);
  if (RelativeDate !== null && kind !== 'Date') refuse(Name, `${Name} is not a date`);
  if (RelativeDate !== null && !parseRelativeDate(RelativeDate))
    refuse(Name, `'${RelativeDate}' is not a relative date`);
  if (From !== null) checkFrom(Name, From, plan);
}

function checkFrom(name: string, from: string, { Kind }: TriggerPlan): void {
  if (Kind === 'Ended') refuse(name, 'The end of a run provides no values');
  if (Kind === 'File' && from !== 'name') refuse(name, `A file supplies only its name: 'name'`);
  if (Kind === 'Webhook' && !/^(\/([^~]|~[01])*)$/.test(from))
    refuse(name, `${name} needs a JSON pointer, such as /order/id`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function checkPlan(
  { Plan, TimeZone }: Pick<TriggerUpdate, 'Plan' | 'TimeZone'>,
  { asked, folders }: { asked: AskedInputs; folders: readonly string[] },
): void {
  if (!isTimeZone(TimeZone)) refuse('TimeZone', `There is no time zone ${TimeZone}`);
  if (Plan.Kind === 'File') {
    if (!folders.some((name) => name.toLowerCase() === Plan.Folder.toLowerCase()))
      refuse('Folder', `There is no folder '${Plan.Folder}' on this server`);
    if (/[\\/]/.test(Plan.Pattern)) refuse('Pattern', 'A pattern matches file names and must not contain \\ or /');
    if (Plan.FileInput !== null && !asked.FileInputs.includes(Plan.FileInput))
      refuse('FileInput', `There is no input ${Plan.FileInput} that takes a file`);
  }
  if (Plan.Kind === 'Ended' && Plan.Outcomes.some(isPending))
    refuse('Outcomes', 'Choose outcomes of runs that have ended');
}
