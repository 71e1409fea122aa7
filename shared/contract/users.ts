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
  /**
   * Key of the directory, or full name of the provider such as saml2:corp; '' for local users. The same applies to the
   * next two fields.
   */
  SourceName: Type.String(),
  /** User name in the source. */
  SourceUserName: Type.String(),
  /** Further identification in the source: a distinguished name. */
  SourceInfo: Type.String(),
  FirstName: Type.String(),
  MiddleName: Type.String(),
  LastName: Type.String(),
  Email: Type.String(),
  Enabled: Type.Boolean(),
  IsUserAdmin: Type.Boolean(),
  LastLoginTime: nullable(Timestamp),
  /** SecondFactorOn: the user signs in with a second factor. SecondFactorRequired: an administrator demands it. */
  SecondFactorOn: Type.Boolean(),
  SecondFactorRequired: Type.Boolean(),
  /** True if the user may not download input files of runs. */
  DisableInputDownload: Type.Boolean(),
});
export type User = Static<typeof User>;

/** A source of non-local users. */
const ExternalSource = closed({
  Source: Type.Union([Type.Literal('AD'), Type.Literal('SSO')]),
  SourceName: Type.String(),
  /** Text for users: the label of a provider's button, or the key of a directory. */
  Label: Type.String(),
});
export type ExternalSource = Static<typeof ExternalSource>;

/** What the caller may do to users, according to rights and settings. */
const Abilities = {
  canManageUsers: Type.Boolean(),
  canManagePasswords: Type.Boolean(),
  /** The settings AllowAdminToSetPassword and EnableUserApiKeys. */
  AllowAdminToSetPassword: Type.Boolean(),
  EnableUserApiKeys: Type.Boolean(),
  /** True if links to set a password can be sent by mail. */
  AllowPasswordReset: Type.Boolean(),
  /**
   * True if the call may change how users sign in, which includes their mail address. False for calls with an API key.
   */
  MayChangeSignIn: Type.Boolean(),
  /** True if names and e-mail of directory users come from the directory. */
  ProfileDataFromAD: Type.Boolean(),
  /** Empty for users who may not manage users. */
  ExternalSources: Type.Array(ExternalSource),
};
export const UserAbilities = closed(Abilities);
export type UserAbilities = Static<typeof UserAbilities>;

/** Filters and pages a list; without Take, everything is returned. */
export const ListQuery = {
  /** Words that must all occur in names or e-mail. */
  Search: Type.Optional(Type.String({ maxLength: 100 })),
  Skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  Take: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
};

export const listUsers = get('/api/users', {
  access: signedIn,
  summary: 'List the users by name; requires sk.ManageUsers or sk.ManageUserPasswords',
  parts: {
    query: closed(ListQuery),
    result: closed({ Items: Type.Array(User), Total: Type.Integer(), HasMore: Type.Boolean(), ...Abilities }),
  },
});

export const userNameOf = get('/api/users/userName/:id', {
  access: signedIn,
  summary: 'Get the user name of an id; requires sk.ManageUsers or sk.ManageUserPasswords',
  parts: { params: IdParams, result: Type.String() },
});

export const userProfile = get('/api/users/profile/:id', {
  access: signedIn,
  summary: 'Get a user; requires sk.ManageUsers or sk.ManageUserPasswords',
  parts: { params: IdParams, result: User },
});

export const rightToManageUsers = get('/api/users/rightToManageUsers', {
  access: signedIn,
  summary: 'Get what the caller may do with users',
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
  /** True if the user must sign in with a second factor. */
  SecondFactorRequired: Type.Optional(Type.Boolean()),
  /** True if the user may not download input files of runs. */
  DisableInputDownload: Type.Optional(Type.Boolean()),
};

export const createUser = post('/api/users/create', {
  access: needs('sk.ManageUsers'),
  summary:
    'Create a user: a local one, with an initial password or an emailed link to set one, or one of a directory or provider',
  parts: {
    body: closed({
      ...Fields,
      Password: Type.Optional(EncryptedPassword),
      /** Local if absent. */
      Source: Type.Optional(Source),
      SourceName: Type.Optional(Type.String({ maxLength: 60 })),
      /** The user name if absent or ''. */
      SourceUserName: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    result: closed({
      UserId: Type.Integer(),
      /** Why the mail with the link to set a password was not sent; absent if it was sent or not required. */
      Warning: Type.Optional(Type.String()),
      /**
       * Only if mail cannot be sent: path of the portal where the new user sets the password, valid once within a day.
       * Returned only here.
       */
      SetPasswordPath: Type.Optional(Type.String()),
    }),
  },
});

/** What a directory knows about a person; fields are '' if it provides no value. */
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
  summary: 'Look up a user name in the named directory, or in all until one knows it',
  parts: {
    params: closed({ userName: Type.String({ minLength: 1, maxLength: 256 }) }),
    query: closed({ SourceName: Type.Optional(Type.String({ maxLength: 60 })) }),
    result: DirectoryProfile,
  },
});

/** The fields of a user when the caller read them. */
export const SeenUser = closed({
  UserName: Type.String(),
  FirstName: Type.String(),
  MiddleName: Type.String(),
  LastName: Type.String(),
  Email: Type.String(),
  IsUserAdmin: Type.Boolean(),
  SecondFactorRequired: Type.Boolean(),
  DisableInputDownload: Type.Boolean(),
});
export type SeenUser = Static<typeof SeenUser>;

export const updateUser = post('/api/users/update', {
  access: needs('sk.ManageUsers'),
  summary:
    'Update a user; for users who are not local, only whether they are administrators and may download input files, and the names of directory users without ProfileDataFromAD',
  parts: {
    body: closed({
      UserId: Id,
      ...Fields,
      /**
       * With it, fields that are as seen keep their present values. If somebody else has changed one of the others, the
       * answer is 409 and nothing changes.
       */
      Seen: Type.Optional(SeenUser),
    }),
    result: Type.Null(),
  },
});

const change = (path: string, summary: string) =>
  post(path, { access: needs('sk.ManageUsers'), summary, parts: { params: IdParams, result: Type.Null() } });

export const enableUser = change('/api/users/enable/:id', 'Enable a user');
export const disableUser = change('/api/users/disable/:id', 'Disable a user and end the user’s sessions');
export const deleteUser = change('/api/users/delete/:id', 'Delete a user; the user’s runs remain, with the name');

export const setNewPassword = post('/api/users/setNewPassword', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'Set the password of another local user, who must change it at the next sign-in',
  parts: { body: closed({ UserName, Password: EncryptedPassword }), result: Type.Null() },
});

/** All: everything the user may do. Run: only the calls needed to run activities. */
const KeyScope = Type.Union([Type.Literal('All'), Type.Literal('Run')]);
export type KeyScope = Static<typeof KeyScope>;

/** Defaults for a new key: limited to running activities, for 90 days. */
export const NEW_KEY = { Scope: 'Run', ExpiryDays: 90 } as const satisfies { Scope: KeyScope; ExpiryDays: number };

export const ApiKey = closed({
  /** The part that may be displayed. Only the result of the creation contains the whole key. */
  Key: Type.String(),
  Name: Type.String(),
  Scope: KeyScope,
  /** Ids of the activities that it is limited to; null for all that its user may run. */
  Activities: nullable(Type.Array(Id)),
  /** True if an assistant with the key may change data without asking the person each time. */
  AssistantWrites: Type.Optional(Type.Boolean()),
  CreationTime: Timestamp,
  /** Null if it does not expire. */
  ExpiryTime: nullable(Timestamp),
  LastUsedTime: nullable(Timestamp),
});
export type ApiKey = Static<typeof ApiKey>;

export const listApiKeys = get('/api/users/apikeys/:id', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'List the API keys of a user',
  parts: { params: IdParams, result: closed({ UserName: Type.String(), Items: Type.Array(ApiKey) }) },
});

export const createApiKey = post('/api/users/apikeys/create/:id', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'Create an API key for a user; only this response contains the full key',
  parts: {
    params: IdParams,
    body: nullable(
      closed({
        Name: Type.Optional(Type.String({ maxLength: 60 })),
        /** Default: that of NEW_KEY. */
        Scope: Type.Optional(KeyScope),
        /** Only with the scope Run. */
        Activities: Type.Optional(nullable(Type.Array(Id, { minItems: 1, maxItems: 100 }))),
        /** Default: false. */
        AssistantWrites: Type.Optional(Type.Boolean()),
        /** Days until it expires; null for never. Default: that of NEW_KEY. */
        ExpiryDays: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 3660 }))),
      }),
    ),
    result: ApiKey,
  },
});

/** Hours for which an old key stays valid after its rotation: default and maximum. */
export const ROTATED_KEY_GRACE_HOURS = { usual: 24, max: 720 } as const;

export const rotateApiKey = post('/api/users/apikeys/rotate/:id/:key', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'Replace an API key by one with the same scope and lifetime; the old key remains valid for the given hours',
  parts: {
    params: closed({ id: Id, key: Type.String({ minLength: 1, maxLength: 100 }) }),
    body: nullable(
      closed({
        /** 0 ends the old key immediately. Default: ROTATED_KEY_GRACE_HOURS.usual. */
        KeepHours: Type.Optional(Type.Integer({ minimum: 0, maximum: ROTATED_KEY_GRACE_HOURS.max })),
      }),
    ),
    result: ApiKey,
  },
});

export const deleteApiKey = post('/api/users/apikeys/delete/:id/:key', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'Delete an API key, given in full or by the part that is shown',
  parts: {
    params: closed({ id: Id, key: Type.String({ minLength: 1, maxLength: 100 }) }),
    result: Type.Null(),
  },
});
