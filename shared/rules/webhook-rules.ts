/** Rules for the address of a webhook receiver. Whether it is a private address is only known when it is called. */
export function webhookUrlIssue(text: string): string | null {
  const [, authority = ''] = /^https?:\/\/([^\s/?#\\]+)(?:[/?#]\S*)?$/i.exec(text.trim()) ?? [];
  if (authority === '') return 'Enter an address that begins with https://';
  return authority.includes('@') ? 'The address must not contain a user name or password' : null;
}
