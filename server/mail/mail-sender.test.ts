import { afterEach, describe, expect, it } from 'vitest';
import { MAIL_SERVER_CERTIFICATE, MAIL_USER, startSmtpPeer } from '#test/support/peers/smtp.ts';
import type { SmtpPeer } from '#test/support/peers/smtp.ts';
import { createMailSender } from './mail-sender.ts';
import type { Mail, MailSettings } from './mail-sender.ts';

let server: SmtpPeer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const MAIL: Mail = { to: [{ name: '', address: 'ann@example.com' }], subject: 'Figures', text: 'Total 5' };

function settings(changes: Partial<MailSettings> = {}): MailSettings {
  return {
    smtpHost: 'localhost',
    smtpPort: server?.port ?? 1,
    smtpSecurity: 'starttls',
    smtpUser: MAIL_USER.name,
    smtpPassword: MAIL_USER.password,
    mailFrom: 'Runsheet <runsheet@example.com>',
    ...changes,
  };
}

const options = { ca: MAIL_SERVER_CERTIFICATE };

const refusal = async (sending: Promise<void>): Promise<{ fault: string; message: string; whole: string }> => {
  const error = await sending.then(
    () => new Error('the mail was sent'),
    (reason: unknown) => reason as Error & { fault: string },
  );
  const { message } = error;
  return { message, fault: 'fault' in error ? error.fault : '', whole: message };
};

describe('a mail sender', () => {
  it('sends a text with attachments over an encrypted connection, signed in', async () => {
    server = await startSmtpPeer();
    const attachments = [{ FileName: 'Beträge.csv', bytes: new TextEncoder().encode('a,b\n1,2\n') }];
    await createMailSender(settings(), options).send({ ...MAIL, attachments, messageId: 'run-1.2@example.com' });
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'runsheet@example.com', to: ['ann@example.com'], isEncrypted: true });
    expect(mail!.user).toBe(MAIL_USER.name);
    expect(mail!.source).toContain('Subject: Figures');
    expect(mail!.source).toContain('Message-ID: <run-1.2@example.com>');
    expect(mail!.source).toContain(Buffer.from('a,b\n1,2\n').toString('base64'));
    expect(mail!.source).not.toContain('text/html');
  });

  it('refuses headers in subjects, names, addresses and names of files', async () => {
    server = await startSmtpPeer();
    const sender = createMailSender(settings(), options);
    const wrong: Partial<Mail>[] = [
      { subject: 'Hi\r\nBcc: eve@example.com' },
      { subject: 'Hi\u2028there' },
      { to: [{ name: 'Ann\nBcc: eve@example.com', address: 'ann@example.com' }] },
      { to: [{ name: '', address: 'ann@example.com>\r\nRCPT TO:<eve@example.com' }] },
      { to: [{ name: '', address: 'ann@example.com,eve@example.com' }] },
      { attachments: [{ FileName: 'a.csv"\r\nBcc: eve@example.com', bytes: new Uint8Array() }] },
      { messageId: 'a@b>\r\nBcc: eve' },
      { to: [] },
    ];
    for (const change of wrong) expect((await refusal(sender.send({ ...MAIL, ...change }))).fault).toBe('refused');
    expect(server.mails).toEqual([]);
  });

  it('sends nothing where no encryption is offered, nor to a server whose certificate is not trusted', async () => {
    server = await startSmtpPeer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const plain = await refusal(createMailSender(settings(), options).send(MAIL));
    expect(plain).toMatchObject({ fault: 'connection' });
    expect(plain.message).toContain('no encrypted connection');
    await server.stop();
    server = await startSmtpPeer();
    const strange = await refusal(createMailSender(settings()).send(MAIL));
    expect(strange.message).toContain('its certificate is not trusted');
    expect(server.mails).toEqual([]);
  });

  it('says that it was not let in, without the password that the mail server repeats', async () => {
    server = await startSmtpPeer();
    const wrong = settings({ smtpPassword: 'not the password' });
    const error = await refusal(createMailSender(wrong, options).send(MAIL));
    expect(error.fault).toBe('signIn');
    expect(error.message).toBe('The mail server rejected the user name and password that are set on this server');
  });

  it('says which recipients were refused, and that the others have the mail', async () => {
    server = await startSmtpPeer({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('bob') ? new Error('no Bob here') : null),
    });
    const to = ['ann@example.com', 'bob@example.com'].map((address) => ({ name: '', address }));
    const error = await refusal(createMailSender(settings(), options).send({ ...MAIL, to }));
    expect(error.message).toBe('The mail server rejected bob@example.com; it was sent to the other 1');
    expect(server.mails[0]!.to).toEqual(['ann@example.com']);
    const none = await refusal(createMailSender(settings(), options).send({ ...MAIL, to: to.slice(1) }));
    expect(none.message).toContain('does not accept the email');
    expect(none.message).toContain('no Bob here');
  });

  it('distinguishes an unreachable server from one that disconnects in the middle of a mail', async () => {
    // Nothing listens on the port of tcpmux, and the system assigns it to nobody else.
    expect(await refusal(createMailSender(settings({ smtpPort: 1 }), options).send(MAIL))).toMatchObject({
      fault: 'connection',
    });
    server = await startSmtpPeer({ onData: () => dropAll() });
    const error = await refusal(createMailSender(settings(), options).send(MAIL));
    expect(error).toMatchObject({ fault: 'uncertain' });
    expect(error.message).toContain('it is unknown whether the email was sent');
    expect(server.mails).toEqual([]);
  });

  it('stops when it is asked to', async () => {
    const controller = new AbortController();
    server = await startSmtpPeer({ onData: () => controller.abort(new Error('cancelled')) });
    const error = await refusal(createMailSender(settings(), options).send(MAIL, controller.signal));
    expect(error.message).toBe('cancelled');
  });

  it('refuses where no mail server is configured', async () => {
    const sender = createMailSender(settings({ smtpHost: '' }));
    expect(sender.isConfigured).toBe(false);
    expect(await refusal(sender.send(MAIL))).toMatchObject({ fault: 'notConfigured' });
  });

  /** The server ends all connections. */
  function dropAll(): void {
    const connections = server!.connections();
    for (const socket of connections) socket.destroy();
  }
});
