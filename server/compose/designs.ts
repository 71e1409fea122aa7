/** Composes the parts around designs: workbooks whose inputs and outputs are marked in the browser. */
import type { Holder } from '#server/base/person.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { createDesignAccess } from '#server/features/designs/design-access.ts';
import { createDesignsService, type DesignsService } from '#server/features/designs/designs-service.ts';
import { createMarkedWorkbooks, type MarkedWorkbooks } from '#server/features/designs/marked-workbooks-service.ts';
import { createTryService, type TryService } from '#server/features/designs/try-service.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { PortalDeps } from './portal-deps.ts';

export interface DesignParts {
  designs: DesignsService;
  markedWorkbooks: MarkedWorkbooks;
  tryDesign: TryService;
}

interface DesignDeps extends Pick<
  PortalDeps,
  'database' | 'rights' | 'fileStore' | 'executor' | 'connections' | 'isLicensed'
> {
  access: ActivityAccess;
  versions: VersionCatalog;
  files: FilesService;
  capabilitiesFor(person: Holder): Promise<StepCapabilities>;
}

export function createDesignParts(deps: DesignDeps): DesignParts {
  const base = { ...deps, store: deps.fileStore, designAccess: createDesignAccess(deps) };
  const markedWorkbooks = createMarkedWorkbooks(base);
  return {
    markedWorkbooks,
    designs: createDesignsService({ ...base, marked: markedWorkbooks }),
    tryDesign: createTryService({ ...base, marked: markedWorkbooks }),
  };
}
