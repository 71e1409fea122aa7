/** Second factor for users with a local password: codes of an authenticator app (RFC 6238), and recovery codes. */
import { Type, type Static } from 'typebox';
import { EncryptedPassword, SecondFactorCode, SecondFactorKey } from './auth.ts';
import { closed, get, IdParams, needs, post, signedIn } from './endpoint.ts';

export const SecondFactorState = closed({
  /** False for users of directories and identity providers. */
  IsOffered: Type.Boolean(),
  IsOn: Type.Boolean(),
  /** True if the next sign-in demands that a second factor be set up when there is none. */
  IsRequired: Type.Boolean(),
  /** Number of unused recovery codes. */
  RecoveryCodes: Type.Integer(),
});
export type SecondFactorState = Static<typeof SecondFactorState>;

const Codes = closed({ RecoveryCodes: Type.Array(Type.String()) });
const Proof = closed({ Password: EncryptedPassword, Code: SecondFactorCode });

export const secondFactorState = get('/api/users/secondfactor', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Get whether the user’s own second factor is on',
  parts: { result: SecondFactorState },
});

export const beginSecondFactor = post('/api/users/secondfactor/begin', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Create a key for an authenticator app; the password is encrypted',
  parts: { body: closed({ Password: EncryptedPassword }), result: SecondFactorKey },
});

export const confirmSecondFactor = post('/api/users/secondfactor/confirm', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Turn on the user’s own second factor with a first code; only this response contains the recovery codes',
  parts: { body: closed({ Code: SecondFactorCode }), result: Codes },
});

export const renewRecoveryCodes = post('/api/users/secondfactor/codes', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Replace the recovery codes',
  parts: { body: Proof, result: Codes },
});

export const turnOffSecondFactor = post('/api/users/secondfactor/off', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Turn off the user’s own second factor',
  parts: { body: Proof, result: Type.Null() },
});

export const removeSecondFactor = post('/api/users/secondfactor/remove/:id', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'Remove the second factor of a user who lost it, and end the user’s sessions',
  parts: { params: IdParams, result: Type.Null() },
});
