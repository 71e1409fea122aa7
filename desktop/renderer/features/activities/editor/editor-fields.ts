/** The state of the activity editor, and what it sends. */
import type { Activity, ActivityCreation, ActivityType, ActivityUpdate } from '#shared/contract/activities.ts';
import type { RegionId } from '#shared/contract/auth.ts';
import type { ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import type { ActivityUpload } from '#shared/contract/versions.ts';
import { activityNameIssue, activitySubmitIssue, parseMemoryCost } from '#shared/rules/activity-rules.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';
import { readOrder } from '#renderer/ui/order-field.ts';

export interface EditorFields {
  Type: ActivityType;
  Name: string;
  Schema: string;
  Description: string;
  SingleRun: boolean;
  IsActive: boolean;
  Group: string;
  Function: string;
  /** As typed. */
  Order: string;
  /** As typed. */
  MemoryCost: string;
  ChangeDescription: string;
  /** Revision of the activity when it was opened; null to overwrite whatever is stored. */
  Revision: number | null;
  file: File | null;
  /** Id of the design whose workbook and marks are published instead of a file. */
  designId: number | null;
  /** '' if none is chosen. */
  ProcedureName: string;
  /** How the procedure is called; null to follow the database's description. */
  Procedure: ProcedureSettings | null;
  /** Names of functions that the engine lacks and the author accepts. */
  accepted: string[];
  /** Region of the chosen workbook; '' uses the file's region, and if the file has none, the previous version's. */
  region: RegionId | '';
}

/** Replaces the file and clears what was chosen for the previous one. */
export const withFile = (file: File | null): Pick<EditorFields, 'file' | 'accepted' | 'region'> => ({
  file,
  accepted: [],
  region: '',
});

/** The fields of a new activity. Source: specification of activities, section 3. */
export const NEW_FIELDS: EditorFields = {
  Type: 'Workbook',
  Name: '',
  Schema: '',
  Description: '',
  SingleRun: true,
  IsActive: true,
  Group: '',
  Function: '',
  Order: '',
  MemoryCost: '0',
  ChangeDescription: '',
  Revision: null,
  file: null,
  designId: null,
  ProcedureName: '',
  Procedure: null,
  accepted: [],
  region: '',
};

export function fieldsOf(activity: Activity): EditorFields {
  return {
    ...NEW_FIELDS,
    Type: activity.Type,
    ProcedureName: activity.ProcedureName ?? '',
    Procedure: activity.Procedure ?? null,
    Name: activity.Name,
    Schema: activity.Schema,
    Description: activity.Description,
    SingleRun: activity.SingleRun,
    IsActive: activity.IsActive,
    Group: activity.Group,
    Function: activity.Function,
    Order: activity.Order === null ? '' : String(activity.Order),
    MemoryCost: editedNumber(activity.MemoryCost),
    Revision: activity.Revision,
  };
}

/** True if leaving would lose something: a field that differs, or a chosen file. */
export function isUnsaved(before: EditorFields, now: EditorFields): boolean {
  if (now.file !== null || hasOtherSettings(before, now)) return true;
  const { file: _file, accepted: _accepted, Schema: _schema, Revision: _revision, ...written } = now;
  // The design is excluded, because its changes are saved immediately.
  const { Type: _type, Procedure: _procedure, designId: _design, ...typed } = written;
  return Object.entries(typed).some(([name, value]) => before[name as keyof EditorFields] !== value);
}

/** True if the procedure settings differ. */
export const hasOtherSettings = (before: EditorFields, now: EditorFields): boolean =>
  JSON.stringify(before.Procedure) !== JSON.stringify(now.Procedure);

type Proposed = Pick<EditorFields, 'Name' | 'Description' | 'Group' | 'Function'>;

/**
 * Fills in the workbook's proposals if nothing was typed: the field is empty or still holds the previous workbook's
 * proposal.
 */
export function withProposals(fields: EditorFields, proposals: Proposed, former: Proposed | null): EditorFields {
  const names = ['Name', 'Description', 'Group', 'Function'] as const;
  const open = names.filter((name) => fields[name] === '' || fields[name] === former?.[name]);
  return { ...fields, ...Object.fromEntries(open.map((name) => [name, proposals[name]])) };
}

/** Returns the first issue that prevents sending the fields; null if there is none. */
export function submitIssue(id: number, fields: EditorFields): string | null {
  return activitySubmitIssue({
    Id: id,
    Name: fields.Name,
    Order: readOrder(fields.Order),
    Type: fields.Type,
    ProcedureName: fields.ProcedureName || null,
    HasFile: hasWorkbook(fields),
    ChangeDescription: fields.ChangeDescription,
  });
}

/** True if there is a workbook to publish. */
export const hasWorkbook = ({ file, designId }: EditorFields): boolean => file !== null || designId !== null;

/**
 * Returns all issues that prevent sending the fields, most important first. It repeats the check with the issues found
 * so far corrected.
 */
export function submitIssues(id: number, fields: EditorFields): string[] {
  const named = { ...fields, Name: activityNameIssue(fields.Name) === null ? fields.Name : 'x' };
  const ordered = { ...named, Order: '' };
  const issues = [fields, named, ordered].map((candidate) => submitIssue(id, candidate));
  return [...new Set(issues.filter((issue) => issue !== null))];
}

export function toUpdate(
  id: number,
  fields: EditorFields,
): ActivityUpdate & Pick<ActivityUpload, 'Order' | 'MemoryCost'> {
  return {
    Id: id,
    Name: fields.Name.trim(),
    Description: fields.Description,
    SingleRun: fields.SingleRun,
    IsActive: fields.IsActive,
    Group: fields.Group.trim(),
    Function: fields.Function.trim(),
    Order: readOrder(fields.Order) ?? null,
    MemoryCost: parseMemoryCost(neutralNumber(fields.MemoryCost)),
    Revision: fields.Revision,
  };
}

/**
 * Returns the update of an activity with a procedure. Only changed settings create a new version, so only then is the
 * change description sent.
 */
export function toProcedureUpdate(id: number, before: EditorFields, fields: EditorFields): ActivityUpdate {
  if (!hasOtherSettings(before, fields)) return toUpdate(id, fields);
  const { Procedure, ChangeDescription } = fields;
  return { ...toUpdate(id, fields), Procedure, ChangeDescription: ChangeDescription.trim() };
}

/** Returns the request body for a new activity with a procedure. */
export function toCreation(fields: EditorFields): ActivityCreation {
  const { Id: _id, Revision: _revision, ...update } = toUpdate(0, fields);
  const { Schema, ProcedureName, Procedure } = fields;
  return { ...update, Schema, ProcedureName, Procedure };
}

/**
 * Returns the multipart form of an upload. Texts come first, so the server knows the activity before the file arrives.
 * A design is on the server already, so its file is not sent.
 */
export function toUploadForm(id: number, fields: EditorFields): FormData {
  const upload: ActivityUpload = {
    ...toUpdate(id, fields),
    Schema: fields.Schema,
    ChangeDescription: fields.ChangeDescription.trim(),
    AcceptUnsupported: fields.accepted,
    ...(fields.region === '' ? {} : { Region: fields.region }),
    ...(fields.designId === null ? {} : { DesignId: fields.designId }),
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(upload)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (fields.designId === null && fields.file) form.append('file', fields.file, fields.file.name);
  return form;
}
