/** Setting a password through a link sent by mail. Source: specification of security, sections 2, 5 and 7. */
import { Type } from 'typebox';
import { EncryptedPassword } from './auth.ts';
import { closed, IdParams, needs, post, publicAccess } from './endpoint.ts';

const UserName = Type.String({ minLength: 1, maxLength: 50 });

export const requestPasswordReset = post('/api/users/resetpassword/name/:name', {
  access: publicAccess,
  summary: 'Email a password reset link; the response is the same whether or not the user exists',
  parts: { params: closed({ name: UserName }), result: Type.Null() },
});

export const sendPasswordReset = post('/api/users/resetpassword/id/:id', {
  access: needs('sk.ManageUserPasswords'),
  sessionOnly: true,
  summary: 'Email a password reset link to a local user',
  parts: { params: IdParams, result: Type.Null() },
});

export const resetPassword = post('/api/users/resetpassword', {
  access: publicAccess,
  summary: 'Set a password with an emailed link; the password is encrypted',
  parts: {
    body: closed({ UserName, Password: EncryptedPassword, Token: Type.String({ minLength: 1, maxLength: 100 }) }),
    result: Type.Null(),
  },
});
