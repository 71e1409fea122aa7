import type { FastifyInstance } from 'fastify';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import { createPresetsService, type PresetsDeps } from '#server/features/activities/presets-service.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { LinkedForms } from '#server/features/links/linked-forms-service.ts';
import { registerFormsRoutes } from './forms-routes.ts';
import { createFormsService, type FormsService } from './forms-service.ts';
import { createSamplesService, type SamplesService } from './samples-service.ts';

export interface Needs extends Core {
  activities: ActivitiesService;
  files: FilesService;
  linkedForm: LinkedForms;
}

export const formsModule = {
  create: (core: Needs) => ({
    forms: createFormsService({ ...core, files: core.fileStore }),
    samples: createSamplesService(core),
  }),
  register: (http: FastifyInstance, parts: Needs & { forms: FormsService; samples: SamplesService }): void => {
    const presets = createPresetsService({ ...parts, refusedByRules: rulesOfPresets(parts.forms) });
    registerFormsRoutes(http, { ...parts, presets });
  },
};

/** Checks presets against the rules like a form that leaves all other values to the workbook. */
const rulesOfPresets =
  (forms: FormsService): PresetsDeps['refusedByRules'] =>
  async (version, inputs, userId) => {
    const form = { userId, uniqueId: null, values: [], files: new Map() };
    return (await forms.startChecks(version, inputs, form)).refused;
  };
