import type { FastifyInstance } from 'fastify';
import { sendDownload } from '#server/http/send-download.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/forms.ts';
import type { FormsService } from './forms-service.ts';
import type { PresetsService } from '#server/features/activities/presets-service.ts';
import type { SamplesService } from './samples-service.ts';

export interface FormsRoutesDeps {
  forms: FormsService;
  presets: PresetsService;
  samples: SamplesService;
  files: FilesService;
}

/** The same limit as for a start, which sends the same inputs. */
const FORM_BODY_BYTES = 64 * 1024 * 1024;

export function registerFormsRoutes(app: FastifyInstance, { forms, presets, samples, files }: FormsRoutesDeps): void {
  registerEndpoint(app, contract.updateUi, ({ person, body }) => forms.update(person, body), {
    bodyLimit: FORM_BODY_BYTES,
  });
  registerEndpoint(app, contract.updatePresetValues, ({ person, body }) => presets.update(person, body));
  registerEndpoint(app, contract.downloadSample, ({ person, params }) => samples.token(person, params.id, 0));
  registerEndpoint(app, contract.downloadSampleAs, ({ person, params }) => samples.token(person, params.id, params.n));
  registerPublicEndpoint(app, contract.downloadSampleFile, ({ params, reply }) =>
    sendDownload(files, params.token, reply),
  );
}
