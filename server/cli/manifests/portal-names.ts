/** Finds what manifests name in a portal. */
import type { Client } from '#shared/client/client.ts';
import { listActivities } from '#shared/contract/activities.ts';
import { alertPeople } from '#shared/contract/alerts.ts';
import { holidayCalendars } from '#shared/contract/holiday-calendars.ts';
import type { NamesOfPortal } from '#shared/manifests/call-fields.ts';
import { isRecord, type ManifestProblem } from '#shared/manifests/manifest-problems.ts';

/** The portal found something wrong in a manifest. */
export class ManifestRefusal extends Error {
  override readonly name = 'ManifestRefusal';
  readonly problems: readonly ManifestProblem[];

  constructor(problems: readonly ManifestProblem[]) {
    super(problems[0]?.message);
    this.problems = problems;
  }
}

/** An activity, or a checklist or workflow. */
export interface Owner {
  kind: 'Activity' | 'Checklist';
  id: number;
}

interface Thing {
  Id: number;
  Schema: string;
  Name: string;
}

export interface Portal {
  client: Client;
  /** The activities, checklists and workflows that the person may see. */
  things: Readonly<Record<Owner['kind'], readonly Thing[]>>;
  calendars: readonly { Id: number; Name: string }[];
}

export async function openPortal(client: Client): Promise<Portal> {
  const { Activities, Checklists } = await client.call(listActivities);
  return {
    client,
    things: { Activity: Activities, Checklist: Checklists },
    calendars: await client.call(holidayCalendars),
  };
}

export interface ThingName {
  schema: string;
  name: string;
}

/** Says whether another file of the same command creates or changes this workflow. */
export type IsPlanned = (workflow: ThingName) => boolean;

const WORDS: Record<Owner['kind'], string> = { Activity: 'activity', Checklist: 'workflow or checklist' };

export const missingThing = (kind: Owner['kind'], { schema, name }: ThingName): string =>
  `There is no ${WORDS[kind]} '${name}' in the schema ${schema} that you may see. Correct the name, or create it first.`;

/** Returns null if there is none. Throws ManifestRefusal if there are several. */
export function findThing({ things }: Portal, kind: Owner['kind'], wanted: ThingName, pointer: string): number | null {
  const found = things[kind].filter(({ Schema, Name }) => Schema === wanted.schema && Name === wanted.name);
  if (found.length > 1) {
    const message = `The schema ${wanted.schema} has ${found.length} workflows or checklists named '${wanted.name}'. Rename all but one.`;
    throw new ManifestRefusal([{ pointer, message }]);
  }
  return found[0]?.Id ?? null;
}

/** People by id, with their user names. */
export type UserNames = ReadonlyMap<number, string>;

/** Returns the people that a manifest names; those who do not exist or cannot be notified are missing. */
export async function findUsers(client: Client, manifest: unknown, owner: Owner): Promise<UserNames> {
  const users = new Map<number, string>();
  const of = owner.kind === 'Activity' ? { ActivityId: owner.id } : { ChecklistId: owner.id };
  for (const name of new Set(userNamesIn(manifest))) {
    const { Users } = await client.call(alertPeople, { body: { ...of, Search: name.slice(0, 200) } });
    const found = Users.find(({ UserName }) => UserName.toLowerCase() === name.toLowerCase());
    if (found) users.set(found.UserId, found.UserName);
  }
  return users;
}

function userNamesIn(value: unknown): string[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    field === 'users' && Array.isArray(inner) ? inner.map(String) : userNamesIn(inner),
  );
}

/** The names that one manifest uses. Problems of names that do not exist are collected. */
export function namesOf(
  portal: Portal,
  users: UserNames,
  isPlanned: IsPlanned = () => false,
): NamesOfPortal & { problems: ManifestProblem[] } {
  const idsOfUsers = new Map([...users].map(([id, name]) => [name.toLowerCase(), id]));
  const problems: ManifestProblem[] = [];
  const missing = (pointer: string, message: string): number => {
    problems.push({ pointer, message });
    return 0;
  };
  const kindOf = (record: Record<string, unknown>): Owner['kind'] =>
    (record['source'] ?? record['Source']) === 'Activity' ? 'Activity' : 'Checklist';
  return {
    problems,
    nameOf: (field, value, record) => {
      if (field === 'CalendarId') return portal.calendars.find(({ Id }) => Id === value)?.Name;
      if (field === 'UserIds') return (value as number[]).flatMap((id) => users.get(id) ?? []);
      const thing = portal.things[kindOf(record)].find(({ Id }) => Id === value);
      // What the person may not see has no name here, so it differs from every name in a file.
      return thing ? { schema: thing.Schema, name: thing.Name } : { schema: '?', name: String(value) };
    },
    idOf: (field, value, { record, pointer }) => {
      if (field === 'CalendarId') {
        const found = portal.calendars.find(({ Name }) => Name === value);
        return found?.Id ?? missing(pointer, `There is no holiday calendar '${String(value)}' here. Create it first.`);
      }
      if (field === 'UserIds') {
        return (value as string[]).map(
          (name, index) =>
            idsOfUsers.get(name.toLowerCase()) ??
            missing(`${pointer}/${index}`, `There is no user '${name}' here who can be notified. Correct the name.`),
        );
      }
      const wanted = value as ThingName;
      const kind = kindOf(record);
      const id = findThing(portal, kind, wanted, pointer);
      if (id !== null) return id;
      // It gets an id before this file is applied.
      return kind === 'Checklist' && isPlanned(wanted) ? 0 : missing(pointer, missingThing(kind, wanted));
    },
  };
}
