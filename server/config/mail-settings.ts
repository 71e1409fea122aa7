/** Settings of the mail server; part of the schema of all settings. */
import { Type } from 'typebox';

export const MAIL_SETTINGS = {
  smtpHost: Type.String({
    default: '',
    values: 'a name or address, or nothing',
    group: 'Mail',
    description: 'Mail server (SMTP) that sends the mails of Mail steps and of this server. Empty: no mails are sent.',
  }),
  smtpPort: Type.Integer({
    default: 587,
    minimum: 1,
    maximum: 65_535,
    group: 'Mail',
    description: 'Port of the mail server: usually 587 with starttls, 465 with tls, 25 with none.',
  }),
  smtpSecurity: Type.Union([Type.Literal('starttls'), Type.Literal('tls'), Type.Literal('none')], {
    default: 'starttls',
    group: 'Mail',
    description:
      'How the connection is protected: starttls begins in plain text and sends nothing before it is encrypted, tls is encrypted from the start, ' +
      "none is never encrypted and allows no password. Node.js must trust the server's certificate (NODE_EXTRA_CA_CERTS adds your own authority).",
  }),
  smtpUser: Type.String({
    default: '',
    values: 'a name, or nothing',
    group: 'Mail',
    description: 'User name for the mail server. Empty: the server does not sign in.',
  }),
  smtpPassword: Type.String({
    default: '',
    secret: true,
    values: 'a password, or nothing',
    group: 'Mail',
    description: 'Password of smtpUser.',
  }),
  mailFrom: Type.String({
    default: '',
    values: 'an address such as runsheet@example.com or Runsheet <runsheet@example.com>, or nothing',
    group: 'Mail',
    description: 'Sender of all mails. Required if smtpHost is set.',
  }),
  mailDomains: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    values: 'domains such as example.com, separated by commas',
    group: 'Mail',
    description: 'Domains that steps of activities may send mails to. Empty: all.',
  }),
};
