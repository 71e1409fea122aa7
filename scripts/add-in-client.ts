/** `npm run add-in-client -- PORTAL`: signs in the way a spreadsheet add-in does, and prints the signed-in user. */
import { once } from 'node:events';
import { beginAddInLogin } from '#server/cli/browser-login.ts';

const [portal] = process.argv.slice(2);
if (portal === undefined || !URL.canParse(portal)) {
  console.error('usage: add-in-client PORTAL, such as http://127.0.0.1:8080');
  process.exitCode = 2;
} else {
  const login = await beginAddInLogin(portal, 'excel');
  const problem = await login.askDesktopClient();
  console.log(
    problem === ''
      ? 'Please choose Continue in the desktop client.'
      : `Open this address in your browser (${problem}):\n\n  ${login.address}\n\nor paste the code that it shows here:`,
  );
  const copied = once(process.stdin, 'data').then(([text]) => login.redeem(String(text)));
  try {
    const { UserName, expiry } = await Promise.race([login.session, copied]);
    console.log(`Signed in as ${UserName}; the token is valid until ${expiry}.`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
  login.close();
  process.stdin.destroy();
}
