/** Runs in the page. Stores the session of the bench's administrator as the sign-in page would. */
export function storeSession(token: string): void {
  const session = {
    userName: 'admin',
    token,
    issued: Date.now(),
    expiry: Date.now() + 3_600_000,
    inactivityTimeout: 0,
  };
  window.localStorage.setItem('runsheet.session', JSON.stringify(session));
}
