/** All rights, and the key columns they can be limited by. The server enforces them; the renderer only mirrors them. */

const everywhere = { TableName: '', KeyColumns: [] } as const;
const onActivities = { TableName: 'Activities', KeyColumns: ['Schema', 'Id'] } as const;

export const RIGHTS = {
  'sk.ManageUsers': { Description: 'Create, edit, enable, disable and delete users', ...everywhere },
  'sk.ManageUserPasswords': {
    Description: 'Set and reset passwords of users, and manage their API keys',
    ...everywhere,
  },
  'sk.ManageRoles': { Description: 'Create roles and assign users to them', ...everywhere },
  'sk.ManageRights': { Description: 'Grant and deny rights', ...everywhere },
  'sk.ViewSecurityMatrix': { Description: 'See who has which rights', ...everywhere },
  'sk.ViewSecurityActions': { Description: 'See the log of security actions', ...everywhere },
  'sk.InternetAccess': { Description: 'Sign in from outside the trusted networks', ...everywhere },
  'sk.CreateActivity': {
    Description: 'Create activities in a schema',
    TableName: 'Activities',
    KeyColumns: ['Schema'],
  },
  'sk.EditActivity': { Description: 'Change activities and upload new versions', ...onActivities },
  'sk.RunActivity': { Description: 'Run activities', ...onActivities },
  'sk.ViewRuns': { Description: 'See runs that others started', ...onActivities },
  'sk.CancelAnyRun': { Description: 'Cancel runs that others started', ...onActivities },
  'sk.PurgeRuns': { Description: 'Delete runs and their files', ...onActivities },
  'sk.UseConnection': {
    Description: 'Use databases through named connections, in activities that you publish and run',
    TableName: 'Connections',
    KeyColumns: ['Name'],
  },
  'sk.ViewTable': {
    Description: 'See tables of named connections through table views',
    TableName: 'Tables',
    KeyColumns: ['Connection', 'Table'],
  },
  'sk.EditChecklist': {
    Description: 'Create and change checklists and workflows in a schema',
    TableName: 'Checklists',
    KeyColumns: ['Schema'],
  },
  'sk.ManageTableViews': { Description: 'Create and change views of the tables that the user may see', ...everywhere },
} as const;

export type RightName = keyof typeof RIGHTS;

export const RIGHT_NAMES = Object.keys(RIGHTS) as RightName[];

/**
 * Rights over users and over rights themselves. A user who lacks one must not be able to gain it through other users.
 */
export const ADMINISTRATION_RIGHTS = [
  'sk.ManageUsers',
  'sk.ManageUserPasswords',
  'sk.ManageRoles',
  'sk.ManageRights',
  'sk.ViewSecurityMatrix',
  'sk.ViewSecurityActions',
] as const satisfies readonly RightName[];

export const isRightName = (name: string): name is RightName => Object.hasOwn(RIGHTS, name);

/** Table and key columns of custom rights, which are created in the portal for use at inputs of workbooks. */
export const CUSTOM_RIGHT = onActivities;

/** Returns why a right of that name cannot be created, or null if it can. Names of built-in rights start with 'sk.'. */
export function rightNameIssue(name: string): string | null {
  if (name.trim() === '') return 'Please enter a name first';
  if (name.length > 60) return 'The name is too long';
  if (!/^[A-Za-z][A-Za-z0-9_.-]*$/.test(name))
    return 'A name must start with a letter and can contain letters, digits, . _ and -';
  if (/^(sk\..*|IsUserAdmin|internet|create|update|.*List)$/i.test(name))
    return 'This name is reserved for the program';
  return null;
}
