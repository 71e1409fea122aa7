import { describe, expect, it } from 'vitest';
import { firstPasswordMail, resetMail } from './password-link-mails.ts';

const user = { UserName: 'ann', FirstName: 'Ann', title: 'Reports', link: 'https://portal.example.com/x' };

describe('mails with password links', () => {
  it('are in the language of the recipient', () => {
    expect(resetMail({ ...user, Language: 'de' })).toEqual({
      subject: 'Reports: Kennwort zurücksetzen',
      text: 'Guten Tag Ann,\n\nfür den Benutzer ann in Reports wurde ein neues Kennwort angefordert. Um eines zu wählen, öffnen Sie innerhalb einer Stunde diesen Link. Er funktioniert einmal:\n\nhttps://portal.example.com/x\n\nFalls Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Kennwort ändert sich nicht.\n',
    });
    const first = firstPasswordMail({ ...user, Language: 'de' });
    expect(first.subject).toBe('Reports: Kennwort festlegen');
    expect(first.text).not.toContain('user');
  });

  it('are in English if the recipient has not chosen a language', () => {
    expect(resetMail({ ...user, Language: null }).text).toBe(
      'Hello Ann,\n\nsomeone requested a new password for the user ann of Reports. To choose one, open this link within an hour. It works once:\n\nhttps://portal.example.com/x\n\nIf you did not request it, ignore this email: your password does not change.\n',
    );
    expect(firstPasswordMail({ ...user, Language: null }).subject).toBe('Reports: set your password');
  });
});
