/** The parts around activities. */
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { PresetsService } from '#server/features/activities/presets-service.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { InputsOf } from '#server/features/checklists/checklist-inputs-service.ts';
import type { ChecklistsService } from '#server/features/checklists/checklists-service.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { FormsService } from '#server/features/forms/forms-service.ts';
import type { SamplesService } from '#server/features/forms/samples-service.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import type { ExampleFilesService } from '#server/features/samples/example-files-service.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import type { TableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';
import type { AccessNotices } from '#server/features/sharing/access-notices-service.ts';
import type { SharingAccess } from '#server/access/sharing-access.ts';
import type { Replayer } from '#server/features/test-beds/replay-cases.ts';
import type { InspectService } from '#server/features/versions/inspect-service.ts';
import type { PublishService } from '#server/features/versions/publish-service.ts';
import type { VersionChangesService } from '#server/features/versions/version-changes-service.ts';
import type { VersionPurge } from '#server/features/versions/version-purge-service.ts';
import type { VersionsService } from '#server/features/versions/versions-service.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { DesignParts } from './designs.ts';
import type { ProcedureParts } from './procedures.ts';

/** The parts of checklists except their runs. */
export interface Checklists {
  checklistAccess: ChecklistAccess;
  checklists: ChecklistsService;
  checklistInputs: InputsOf;
}

export interface ActivityParts extends ProcedureParts, Checklists, DesignParts {
  access: ActivityAccess;
  runAccess: RunAccess;
  sharingAccess: SharingAccess;
  accessNotices: AccessNotices;
  versions: VersionCatalog;
  activities: ActivitiesService;
  pickers: PickersService;
  forms: FormsService;
  presets: PresetsService;
  samples: SamplesService;
  publishing: PublishService;
  replayer: Replayer;
  inspecting: InspectService;
  examples: ExampleFilesService;
  activityVersions: VersionsService;
  versionChanges: VersionChangesService;
  versionPurge: VersionPurge;
  files: FilesService;
  links: LinksService;
  workbooks: TableWorkbookBuilder;
}
