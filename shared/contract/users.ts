/** Administration of users and their API keys. Source: specification of security, sections 3, 6 and 7. */
import { Type, type Static } from 'typebox';
import { EncryptedPassword } from './auth.ts';
import { closed, get, Id, IdParams, needs, nullable, post, signedIn, Timestamp } from './endpoint.ts';

const Name = Type.String({ maxLength: 50 });
const UserName = Type.String({ minLength: 1, maxLength: 50 });
const Email = Type.String({ maxLength: 256 });
const Source = Type.Union([Type.Literal('Local'), Type.Literal('AD'), Type.Literal('SSO')]);

export const User = closed({
  UserId: Type.Integer(),
  UserName: Type.String(),
  Source,
  /** Key of the directory, or whole name of the provider such as saml2:corp; '' for local users, as the two below. */
  SourceName: Type.String(),
  /** The name there. */
  SourceUserName: Type.String(),
  /** How else the source names them: a distinguished name. */
  SourceInfo: Type.String(),
  FirstName: Type.String(),
  MiddleName: Type.String(),
  LastName: Type.String(),
  Email: Type.String(),
  Enabled: Type.Boolean(),
  IsUserAdmin: Type.Boolean(),
  LastLoginTime: nullable(Timestamp),
  /** Whether the user signs in with a second factor, and whether an administrator asks for it. */
  SecondFactorOn: Type.Boolean(),
  SecondFactorRequired: Type.Boolean(),
  /** Whether input files of runs are not theirs to download. */
  DisableInputDownload: Type.Boolean(),
});
export type User = Static<typeof User>;

/** Where users may come from who are not local. */
const ExternalSource = closed({
  Source: Type.Union([Type.Literal('AD'), Type.Literal('SSO')]),
  SourceName: Type.String(),
  /** For people: the label of a provider's button, the key of a directory. */
  Label: Type.String(),
});
export type ExternalSource = Static<typeof ExternalSource>;

/** What the caller may do to users, as far as rights and settings go. */
const Abilities = {
  canManageUsers: Type.Boolean(),
  canManagePasswords: Type.Boolean(),
  /** Settings AllowAdminToSetPassword and EnableUserApiKeys. */
  AllowAdminToSetPassword: Type.Boolean(),
  EnableUserApiKeys: Type.Boolean(),
  /** Whether links to set a password can be mailed. */
  AllowPasswordReset: Type.Boolean(),
  /** Whether the call may change how users sign in, as their mail address: one with an API key may not. */
  MayChangeSignIn: Type.Boolean(),
  /** Whether names and e-mail of directory users are those of the directory. */
  ProfileDataFromAD: Type.Boolean(),
  /** Empty for those who may not manage users. */
  ExternalSources: Type.Array(ExternalSource),
};
export const UserAbilities = closed(Abilities);
export type UserAbilities = Static<typeof UserAbilities>;

/** Narrows a list, and takes a part of it; without Take everything is answered. */
export const ListQuery = {
  /** Words that must all occur in names or e-mail. */
  Search: Type.Optional(Type.String({ maxLength: 100 })),
  Skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  Take: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
};

export const listUsers = get('/api/users', {
  access: signedIn,
  summary: 'Users by name; needs sk.ManageUsers or sk.ManageUserPasswords',
  parts: {
    query: closed(ListQuery),
    result: closed({ Items: Type.Array(User), Total: Type.Integer(), HasMore: Type.Boolean(), ...Abilities }),
  },
});

export const userNameOf = get('/api/users/userName/:id', {
  access: signedIn,
  summary: 'The user name behind an id; needs sk.ManageUsers or sk.ManageUserPasswords',
  parts: { params: IdParams, result: Type.String() },
});

export const userProfile = get('/api/users/profile/:id', {
  access: signedIn,
  summary: 'One user; needs sk.ManageUsers or sk.ManageUserPasswords',
  parts: { params: IdParams, result: User },
});

export const rightToManageUsers = get('/api/users/rightToManageUsers', {
  access: signedIn,
  summary: 'What the caller may do to users',
  parts: { result: UserAbilities },
});

const Fields = {
  UserName,
  FirstName: Name,
  MiddleName: Name,
  LastName: Name,
  Email,
  /** Only administrators may make others administrators. */
  IsUserAdmin: Type.Optional(Type.Boolean()),
  /** Whether the user must sign in with a second factor. */
  SecondFactorRequired: Type.Optional(Type.Boolean()),
  /** Whether input files of runs are not theirs to download. */
  DisableInputDownload: Type.Optional(Type.Boolean()),
};

export const createUser = post('/api/users/create', {
  access: needs('sk.ManageUsers'),
  summary:
    'A new user: local, with a password to be changed or a mailed link to set one, or of a directory or provider',
  parts: {
    body: closed({
      ...Fields,
      Password: Type.Optional(EncryptedPassword),
      /** Local where absent. */
      Source: Type.Optional(Source),
      SourceName: Type.Optional(Type.String({ maxLength: 60 })),
      /** The user name where absent or ''. */
      SourceUserName: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    result: closed({
      UserId: Type.Integer(),
      /** Why the mail with the link to set a password was not sent; absent where it was, or none was meant to be. */
      Warning: Type.Optional(Type.String()),
      /** Where no mail can be sent: a path of the portal by which the new user sets the password, once, within a day. Shown only here. */
      SetPasswordPath: Type.Optional(Type.String()),
    }),
  },
});

/** What a directory knows of a person; '' where it says nothing. */
export const DirectoryProfile = closed({
  SourceName: Type.String(),
  SourceUserName: Type.String(),
  SourceInfo: Type.String(),
  FirstName: Type.String(),
  LastName: Type.String(),
  Email: Type.String(),
});
export type DirectoryProfile = Static<typeof DirectoryProfile>;

export const directoryProfile = get('/api/users/ad/profile/:userName', {
  access: needs('sk.ManageUsers'),
  summary: 'What the directory knows of a name: the one named, or the first that knows it',
  parts: {
    params: closed({ userName: Type.String({ minLength: 1, maxLength: 256 }) }),
    query: closed({ SourceName: Type.Optional(Type.String({ maxLength: 60 })) }),
    result: DirectoryProfile,
  },
});

export const updateUser = post('/api/users/update', {
  access: needs('sk.ManageUsers'),
  summary:
    'Change a user; of those who are not local, only whether they are an administrator and may download input files, and the names of directory users without ProfileDataFromAD',
  parts: { body: closed({ UserId: Id, ...Fields }), result: Type.Null() },
});

const change = (path: string, summary: string) =>
  post(path, { access: needs('sk.ManageUsers'), summary, parts: { params: IdParams, result: Type.Null() } });

export const enableUser = change('/api/users/enable/:id', 'Let a user sign in again');
export const disableUser = change('/api/users/disable/:id', 'Keep a user from signing in; their sessions end');
export const deleteUser = change('/api/users/delete/:id', 'Delete a user; their runs stay, with the name');

export const setNewPassword = post('/api/users/setNewPassword', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'Set the password of another local user, who has to change it at the next sign-in',
  parts: { body: closed({ UserName, Password: EncryptedPassword }), result: Type.Null() },
});

/** All that the user may, or only what running activities takes. */
const KeyScope = Type.Union([Type.Literal('All'), Type.Literal('Run')]);
export type KeyScope = Static<typeof KeyScope>;

/** What a new key is where nothing else is asked for: to run activities, for a season. */
export const NEW_KEY = { Scope: 'Run', ExpiryDays: 90 } as const satisfies { Scope: KeyScope; ExpiryDays: number };

export const ApiKey = closed({
  /** The part that may be shown; in the answer to its creation, and only there, the whole key. */
  Key: Type.String(),
  Name: Type.String(),
  Scope: KeyScope,
  /** Numbers of the activities that it is for; null where it is for all that its user may run. */
  Activities: nullable(Type.Array(Id)),
  CreationTime: Timestamp,
  /** Null where it does not expire. */
  ExpiryTime: nullable(Timestamp),
  LastUsedTime: nullable(Timestamp),
});
export type ApiKey = Static<typeof ApiKey>;

export const listApiKeys = get('/api/users/apikeys/:id', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'The API keys of a user',
  parts: { params: IdParams, result: closed({ UserName: Type.String(), Items: Type.Array(ApiKey) }) },
});

export const createApiKey = post('/api/users/apikeys/create/:id', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'A new API key of a user; the answer is the only place that shows it whole',
  parts: {
    params: IdParams,
    body: nullable(
      closed({
        Name: Type.Optional(Type.String({ maxLength: 60 })),
        /** That of NEW_KEY where absent. */
        Scope: Type.Optional(KeyScope),
        /** Only with the scope Run. */
        Activities: Type.Optional(nullable(Type.Array(Id, { minItems: 1, maxItems: 100 }))),
        /** Days until it expires; null for never, those of NEW_KEY where absent. */
        ExpiryDays: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 3660 }))),
      }),
    ),
    result: ApiKey,
  },
});

/** Hours for which a key goes on beside the one that takes its place. */
export const KEPT_HOURS = { usual: 24, most: 720 } as const;

export const rotateApiKey = post('/api/users/apikeys/rotate/:id/:key', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'A new API key in the place of one, for the same and for as long; the old one goes on for some hours',
  parts: {
    params: closed({ id: Id, key: Type.String({ minLength: 1, maxLength: 100 }) }),
    body: nullable(
      closed({
        /** 0 ends the old key at once; those of KEPT_HOURS where absent. */
        KeepHours: Type.Optional(Type.Integer({ minimum: 0, maximum: KEPT_HOURS.most })),
      }),
    ),
    result: ApiKey,
  },
});

export const deleteApiKey = post('/api/users/apikeys/delete/:id/:key', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'Delete an API key, whole or by the part that is shown',
  parts: {
    params: closed({ id: Id, key: Type.String({ minLength: 1, maxLength: 100 }) }),
    result: Type.Null(),
  },
});
