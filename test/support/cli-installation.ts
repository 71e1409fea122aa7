/** A portal with activities for checklists, and the command line signed in to it. */
import type { AddressInfo } from 'node:net';
import { runCommand } from '#server/cli/program.ts';
import { startChecklistPortal, type ChecklistPortal, type User } from './checklist-portal.ts';

export interface CliInstallation {
  portal: ChecklistPortal;
  runsheet: (...args: string[]) => Promise<{ code: number; out: string; err: string }>;
}

/**
 * @param folder home of the person
 * @param signedIn who is signed in; otherwise the editor of the portal
 */
export async function openInstallation(
  folder: string,
  signedIn?: (portal: ChecklistPortal) => Promise<User>,
): Promise<CliInstallation> {
  const portal = await startChecklistPortal();
  await portal.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = `http://127.0.0.1:${(portal.app.http.server.address() as AddressInfo).port}`;
  const { headers } = signedIn ? await signedIn(portal) : portal.editor;
  const token = headers.authorization.replace('Bearer ', '');
  const env = { HOME: folder, RUNSHEET_PORTAL: address, RUNSHEET_API_KEY: token };
  return {
    portal,
    runsheet: async (...args) => {
      const [out, err]: string[][] = [[], []];
      const print = (text: string) => out!.push(`${text}\n`);
      const code = await runCommand(args, { print, printMessage: (text) => err!.push(`${text}\n`), env });
      return { code, out: out!.join(''), err: err!.join('') };
    },
  };
}
