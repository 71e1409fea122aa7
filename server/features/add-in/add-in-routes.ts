import type { FastifyInstance } from 'fastify';
import { addInCode, addInToken, excelAddIn, excelManifest } from '#shared/contract/add-in.ts';
import { AppError } from '#server/base/app-error.ts';
import { answerSignedIn } from '#server/access/sign-in/signed-in.ts';
import { clientOf } from '#server/http/access.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { AddInService } from './add-in-service.ts';
import { excelManifestXml, whyNoExcelAddIn } from './excel-manifest.ts';

export interface AddInRoutesDeps {
  inactivityMinutes: number;
  /** Maximum number of codes that an IP address may request, or redeem, per minute. */
  signInsPerMinute: number;
  /** Public URL of the portal from the settings, ending with '/'; null if the settings have none. */
  address: string | null;
  /** Display name of this installation. */
  title: string;
}

export function registerAddInRoutes(app: FastifyInstance, addIn: AddInService, deps: AddInRoutesDeps): void {
  const strictly = { callsPerMinute: deps.signInsPerMinute };
  registerEndpoint(app, addInCode, async ({ person, body }) => ({ Code: await addIn.issue(person, body) }), strictly);
  registerPublicEndpoint(
    app,
    addInToken,
    async ({ body, request, reply }) => {
      const from = { address: request.ip, client: clientOf(request) };
      const attempt = { code: body.Code, verifier: body.Verifier, ...from };
      const signedIn = await addIn.redeem(attempt);
      return { ...answerSignedIn(reply, signedIn, deps.inactivityMinutes), UserName: signedIn.UserName };
    },
    strictly,
  );
  const problem = whyNoExcelAddIn(deps.address);
  registerEndpoint(app, excelAddIn, () => ({
    ManifestAddress: problem === '' ? new URL(excelManifest.path.slice(1), deps.address!).href : null,
    Problem: problem,
  }));
  registerPublicEndpoint(app, excelManifest, ({ reply }) => {
    if (problem !== '') throw new AppError('noExcelAddIn', 404, problem);
    return reply
      .type('application/xml; charset=utf-8')
      .header('content-disposition', 'attachment; filename="runsheet-excel.xml"')
      .send(excelManifestXml(deps.address!, deps.title));
  });
}
