/** What an import would do with each person of a list, before anything is changed. */
import { IMPORT_ROWS_MAX, type ImportState, type NameFrom, type PreviewedUser } from '#shared/contract/user-import.ts';
import { EMAIL_MAX, NAME_MAX, userIssues } from '#shared/rules/user-rules.ts';
import { AppError } from '#server/base/app-error.ts';
import { userNameKey } from '#server/features/users/users-service.ts';
import type { ImportOrigin, UserImportDeps, Who } from './import-deps.ts';
import { readPeople, type ReadPerson } from './people-text.ts';
import { findUsersByMail, findUsersByName, type KnownUser } from './user-import-repository.ts';

export interface PreviewRequest extends ImportOrigin {
  Text: string;
  /** For everyone. */
  Roles: readonly string[];
  NameFrom: NameFrom;
}

export interface ImportPreview {
  Users: PreviewedUser[];
  UnusedColumns: string[];
}

export async function previewImport(deps: UserImportDeps, who: Who, request: PreviewRequest): Promise<ImportPreview> {
  const { people, unusedColumns } = readPeople(request.Text, request.NameFrom);
  if (people.length === 0) throw new AppError('nobody', 400, 'The list contains nobody.');
  if (people.length > IMPORT_ROWS_MAX)
    throw new AppError('tooManyPeople', 400, `The list contains more than ${IMPORT_ROWS_MAX} people. Please split it.`);
  const [findKnown, roles, needsAddress] = await Promise.all([
    knownUsers(deps, people),
    createRoleCheck(deps, who, [...request.Roles, ...people.flatMap(({ Roles }) => Roles)]),
    isAddressRequired(deps, who, request),
  ]);
  const known = people.map(findKnown);
  const present = await deps.roles.rolesOfUsers(known.flatMap((users) => users.map(({ UserId }) => UserId)));
  const seen = new Map<string, ReadPerson>();
  const Users = people.map((person, index) => {
    const given = [...new Set([...request.Roles, ...person.Roles])].map(roles);
    const [user] = known[index]!;
    const problems = [
      ...person.problems,
      ...given.flatMap(({ problem }) => (problem === null ? [] : [problem])),
      ...matchProblems(person, known[index]!),
    ];
    if (!user && problems.length === 0)
      problems.push(...fieldProblems(person, needsAddress), ...nameProblems(person, seen.get(keyOf(person, user))));
    const names = new Set(given.map(({ name }) => name));
    for (const name of user ? (present.get(user.UserId) ?? []) : []) names.delete(name);
    const State = stateOf({ person, user, isInvalid: problems.length > 0, seen });
    return previewOf(person, { State, user, problems, roles: [...names] });
  });
  return { Users, UnusedColumns: unusedColumns };
}

/** Roles must not go to another person because of a similar address. */
function matchProblems({ isNamedByAddress, Email }: ReadPerson, [user, other]: readonly KnownUser[]): string[] {
  if (!user || !isNamedByAddress) return [];
  if (other) return ['Several users have this address. Please list their user names.'];
  const isSame = user.Email.toLowerCase() === Email.toLowerCase() || user.UserNameKey === userNameKey(Email);
  return isSame ? [] : [`The user name '${user.UserName}' belongs to a user with another address`];
}

/** Parts of addresses before the @ are often those of several people, of whom only one can have the name. */
function nameProblems({ UserName, Email }: ReadPerson, earlier: ReadPerson | undefined): string[] {
  if (!earlier || Email === '' || earlier.Email === '') return [];
  if (earlier.Email.toLowerCase() === Email.toLowerCase()) return [];
  return [`The user name '${UserName}' is also in line ${earlier.line}, with another address`];
}

interface Found {
  State: ImportState;
  user: KnownUser | undefined;
  problems: string[];
  roles: string[];
}

function previewOf(person: ReadPerson, { State, user, problems, roles }: Found): PreviewedUser {
  const { line, FirstName, MiddleName, LastName, Email } = person;
  const UserId = State === 'Existing' ? user!.UserId : null;
  const UserName = user?.UserName ?? person.UserName;
  const names = { FirstName, MiddleName, LastName, Email };
  return { Line: line, UserName, ...names, Roles: roles, State, UserId, Problems: problems };
}

interface StateInput {
  person: ReadPerson;
  user: KnownUser | undefined;
  isInvalid: boolean;
  /** The first line of each person, by keyOf. */
  seen: Map<string, ReadPerson>;
}

const keyOf = ({ UserName }: ReadPerson, user: KnownUser | undefined): string =>
  user ? `user ${user.UserId}` : `name ${userNameKey(UserName)}`;

function stateOf({ person, user, isInvalid, seen }: StateInput): ImportState {
  const key = keyOf(person, user);
  if (isInvalid) return 'Invalid';
  if (seen.has(key)) return 'Duplicate';
  seen.set(key, person);
  return user ? 'Existing' : 'New';
}

/** Returns a function that returns the users who are the person: none, one, or several with the same address. */
async function knownUsers(
  { database: { knex } }: UserImportDeps,
  people: readonly ReadPerson[],
): Promise<(person: ReadPerson) => KnownUser[]> {
  const keys = people.map(({ UserName }) => userNameKey(UserName)).filter(Boolean);
  const addresses = people
    .filter(({ isNamedByAddress, Email }) => isNamedByAddress && Email !== '')
    .map(({ Email }) => Email.toLowerCase());
  const [named, mailed] = await Promise.all([
    findUsersByName(knex, [...new Set(keys)]),
    findUsersByMail(knex, [...new Set(addresses)]),
  ]);
  const byName = new Map(named.map((user) => [user.UserNameKey, user]));
  const byMail = Map.groupBy(mailed, ({ Email }) => Email.toLowerCase());
  return (person) => {
    const user = byName.get(userNameKey(person.UserName));
    const ofAddress = person.isNamedByAddress ? (byMail.get(person.Email.toLowerCase()) ?? []) : [];
    if (ofAddress.length > 0) return ofAddress;
    return user ? [user] : [];
  };
}

interface CheckedRole {
  name: string;
  problem: string | null;
}

/** Returns a function that returns a role as it is spelled, and why the caller may not put anybody into it. */
async function createRoleCheck(
  { roles, rights }: UserImportDeps,
  { person, actor }: Who,
  names: readonly string[],
): Promise<(name: string) => CheckedRole> {
  if (names.length === 0) return (name) => ({ name, problem: null });
  const key = (name: string): string => name.toLowerCase();
  const mayManage = await rights.require(person, 'sk.ManageRoles').then(
    () => true,
    () => false,
  );
  const known = new Map((mayManage ? await roles.list() : []).map(({ Name }) => [key(Name), Name]));
  const checked = new Map<string, CheckedRole>();
  for (const wanted of names) {
    const name = known.get(key(wanted));
    if (checked.has(key(wanted))) continue;
    const problem = !mayManage
      ? 'You may not add users to roles'
      : name === undefined
        ? `There is no role '${wanted}'`
        : await roles.requireIncludable(actor, name).then(() => null, messageOf);
    checked.set(key(wanted), { name: name ?? wanted, problem });
  }
  return (name) => checked.get(key(name))!;
}

function messageOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}

/** New local users get a link by mail if the portal sends mails. */
async function isAddressRequired({ users }: UserImportDeps, { person }: Who, { Source = 'Local' }: PreviewRequest) {
  return Source === 'Local' && (await users.abilities(person)).AllowPasswordReset;
}

function fieldProblems(person: ReadPerson, needsAddress: boolean): string[] {
  const { FirstName, MiddleName, LastName, Email } = person;
  const problems: string[] = Object.values(userIssues(person));
  if ([FirstName, MiddleName, LastName].some((name) => name.length > NAME_MAX))
    problems.push(`A name may have at most ${NAME_MAX} characters`);
  if (Email.length > EMAIL_MAX) problems.push(`An email address may have at most ${EMAIL_MAX} characters`);
  if (needsAddress && Email === '') problems.push('There is no email address for the link to set the password');
  return problems;
}
