/** Settings of signing in; part of the schema of all settings. */
import { Type } from 'typebox';

export const SIGN_IN_SETTINGS = {
  adminPassword: Type.String({
    default: '',
    secret: true,
    values: 'a password that meets the rules for passwords, or nothing',
    group: 'Sign-in',
    description:
      "The administrator's first password, used only when the database is made. Empty: the first start makes one and prints it once.",
  }),
  passwordMinLength: Type.Integer({
    default: 8,
    minimum: 8,
    maximum: 32,
    group: 'Sign-in',
    description: 'Characters a new password has at least.',
  }),
  passwordMaxLength: Type.Integer({
    default: 50,
    minimum: 50,
    maximum: 128,
    group: 'Sign-in',
    description:
      'Characters a password has at most, those of directories included: raise it where people have longer ones.',
  }),
  passwordComposition: Type.Boolean({
    default: true,
    group: 'Sign-in',
    description:
      'Whether a new password needs a digit, letters of both cases and a special character. Where it does not, ask for longer ones and refuse guessable ones.',
  }),
  refuseGuessablePasswords: Type.Boolean({
    default: false,
    group: 'Sign-in',
    description:
      'Whether new passwords are also refused that everybody tries first (49,000 common ones, with little added), or that are names of the person or the portal.',
  }),
  tokenMinutes: Type.Integer({
    default: 60,
    minimum: 2,
    maximum: 1440,
    group: 'Sign-in',
    description: 'How long an access token holds. A page that is in use renews it in time.',
  }),
  inactivityMinutes: Type.Integer({
    default: 20,
    minimum: 1,
    maximum: 1440,
    group: 'Sign-in',
    description: 'After this long without use a person is signed out.',
  }),
  sessionHours: Type.Integer({
    default: 24,
    minimum: 1,
    maximum: 720,
    group: 'Sign-in',
    description: 'After this long a person has to sign in again, however busy they were.',
  }),
  signInsPerMinute: Type.Integer({
    default: 120,
    minimum: 1,
    maximum: 10_000,
    group: 'Sign-in',
    description:
      'Passwords of strangers (who were in no such account from that browser or address before) that are judged for one address in a minute, and calls with passwords or codes that it may make.',
  }),
  trustedNetworks: Type.Array(Type.String(), {
    default: [],
    values: 'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
    group: 'Sign-in',
    description:
      'Where people work. Calls from elsewhere come from the internet: they need sk.InternetAccess, and only what the internet is granted too counts. Empty: every address is trusted.',
  }),
  requireSecondFactor: Type.Union([Type.Literal('nobody'), Type.Literal('administrators'), Type.Literal('everyone')], {
    default: 'nobody',
    group: 'Sign-in',
    description:
      'Which users with a password kept here must sign in with a code of an authenticator app too, besides those for whom it is asked for in their own settings. Everybody may.',
  }),
  secondFactorTolerance: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 1,
    group: 'Sign-in',
    description:
      'Half minutes before and after its own in which a code of an authenticator app is taken, because clocks differ and people type. 0 takes each code for its 30 seconds alone; ' +
      'the clocks of phones and of the database then have to agree.',
  }),
  secretKey: Type.String({
    default: '',
    secret: true,
    values: 'a text of at least 32 characters, or nothing',
    group: 'Sign-in',
    description:
      'Key with which secrets are encrypted that the database keeps. Empty: that of secret.key in the data folder, which the first start makes. ' +
      'Servers of one installation with data folders of their own need the same one.',
  }),
  allowAdminToSetPassword: Type.Boolean({
    default: true,
    group: 'Sign-in',
    description:
      'Whether those who manage passwords may set those of others. The person has to change such a password at the next sign-in.',
  }),
  profileDataFromAd: Type.Boolean({
    default: true,
    group: 'Sign-in',
    description:
      'Whether names and e-mail of directory users are always those of the directory. If not, they are written and edited here.',
  }),
  enableUserApiKeys: Type.Boolean({
    default: true,
    group: 'Sign-in',
    description: 'Whether programs may make calls with API keys, which those who manage passwords make for users.',
  }),
};
