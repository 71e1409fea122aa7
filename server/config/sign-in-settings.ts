/** Settings of signing in; part of the schema of all settings. */
import { Type } from 'typebox';

export const SIGN_IN_SETTINGS = {
  adminPassword: Type.String({
    default: '',
    secret: true,
    values: 'a password that meets the rules for passwords, or nothing',
    group: 'Sign-in',
    description:
      "The administrator's first password, used only when the database is created. Empty: the first start generates one and prints it once.",
  }),
  passwordMinLength: Type.Integer({
    default: 8,
    minimum: 8,
    maximum: 32,
    group: 'Sign-in',
    description: 'Minimum length of a new password, in characters.',
  }),
  passwordMaxLength: Type.Integer({
    default: 50,
    minimum: 50,
    maximum: 128,
    group: 'Sign-in',
    description:
      'Maximum length of a password in characters, including passwords of directories. Raise it if people have longer ones.',
  }),
  passwordComposition: Type.Boolean({
    default: true,
    group: 'Sign-in',
    description:
      'Whether a new password needs a digit, uppercase and lowercase letters and a special character. If not, require longer passwords and refuse guessable ones.',
  }),
  refuseGuessablePasswords: Type.Boolean({
    default: false,
    group: 'Sign-in',
    description:
      'Whether new passwords are also refused if attackers try them first (49,000 common ones, with little added), or if they are names of the person or the portal.',
  }),
  tokenMinutes: Type.Integer({
    default: 60,
    minimum: 2,
    maximum: 1440,
    group: 'Sign-in',
    description: 'How long an access token is valid. A page that is in use renews it in time.',
  }),
  inactivityMinutes: Type.Integer({
    default: 20,
    minimum: 1,
    maximum: 1440,
    group: 'Sign-in',
    description: 'A person is signed out after this long without activity.',
  }),
  sessionHours: Type.Integer({
    default: 24,
    minimum: 1,
    maximum: 720,
    group: 'Sign-in',
    description: 'A person must sign in again after this long, even if they were active.',
  }),
  signInsPerMinute: Type.Integer({
    default: 120,
    minimum: 1,
    maximum: 10_000,
    group: 'Sign-in',
    description:
      'Limit per address and minute, both for the passwords of strangers that are checked and for calls with passwords or codes. Strangers are people who were not signed in to that account from that browser or address before.',
  }),
  trustedNetworks: Type.Array(Type.String(), {
    default: [],
    values: 'IP addresses or ranges such as 10.0.0.0/8, separated by commas',
    group: 'Sign-in',
    description:
      'Networks in which people work. Calls from other addresses count as calls from the internet: they need sk.InternetAccess, and only rights that are also granted to the internet count. Empty: every address is trusted.',
  }),
  requireSecondFactor: Type.Union([Type.Literal('nobody'), Type.Literal('administrators'), Type.Literal('everyone')], {
    default: 'nobody',
    group: 'Sign-in',
    description:
      'Which users with a password stored in Runsheet must also sign in with a code of an authenticator app, besides those whose own settings require it. Everybody may do so.',
  }),
  secondFactorTolerance: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 1,
    group: 'Sign-in',
    description:
      'How many half minutes before and after its own a code of an authenticator app is accepted, because clocks differ and typing takes time. 0 accepts each code only in its own 30 seconds; ' +
      'the clocks of phones and of the database must then agree.',
  }),
  secretKey: Type.String({
    default: '',
    secret: true,
    values: 'a text of at least 32 characters, or nothing',
    group: 'Sign-in',
    description:
      'Key that encrypts the secrets stored in the database. Empty: the key in the file secret.key of the data folder, which the first start creates. ' +
      'Servers of one installation that have separate data folders need the same key.',
  }),
  allowAdminToSetPassword: Type.Boolean({
    default: true,
    group: 'Sign-in',
    description:
      'Whether people who manage passwords may set the passwords of others. The person must change such a password at the next sign-in.',
  }),
  profileDataFromAd: Type.Boolean({
    default: true,
    group: 'Sign-in',
    description:
      'Whether names and e-mail addresses of directory users always come from the directory. If not, people enter and edit them in Runsheet.',
  }),
  enableUserApiKeys: Type.Boolean({
    default: true,
    group: 'Sign-in',
    description: 'Whether programs may make calls with API keys, which people who manage passwords create for users.',
  }),
};
