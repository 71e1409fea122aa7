/** What the editor of an activity holds while one types, and what it sends. */
import type { Activity, ActivityUpdate } from '#shared/contract/activities.ts';
import type { ActivityUpload } from '#shared/contract/versions.ts';
import { activitySubmitIssue, parseMemoryCost, parseOrder } from '#shared/rules/activity-rules.ts';

export interface EditorFields {
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
  /** Of the activity as it was opened; null where whatever is stored is to be replaced. */
  Revision: number | null;
  file: File | null;
  /** Functions the engine lacks, accepted by name. */
  accepted: string[];
}

/** A new activity. Source: specification of activities, section 3. */
export const NEW_FIELDS: EditorFields = {
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
  accepted: [],
};

export function fieldsOf(activity: Activity): EditorFields {
  return {
    ...NEW_FIELDS,
    Name: activity.Name,
    Schema: activity.Schema,
    Description: activity.Description,
    SingleRun: activity.SingleRun,
    IsActive: activity.IsActive,
    Group: activity.Group,
    Function: activity.Function,
    Order: activity.Order === null ? '' : String(activity.Order),
    MemoryCost: String(activity.MemoryCost),
    Revision: activity.Revision,
  };
}

/** Whether leaving would lose something: any field that differs, or a chosen file. */
export function isUnsaved(before: EditorFields, now: EditorFields): boolean {
  if (now.file !== null) return true;
  const { file: _file, accepted: _accepted, Schema: _schema, Revision: _revision, ...typed } = now;
  return Object.entries(typed).some(([name, value]) => before[name as keyof EditorFields] !== value);
}

/** The first thing that keeps the fields from being sent; null where nothing does. */
export function submitIssue(id: number, fields: EditorFields): string | null {
  return activitySubmitIssue({
    Id: id,
    Name: fields.Name,
    Order: parseOrder(fields.Order),
    Type: 'Workbook',
    ProcedureName: null,
    HasFile: fields.file !== null,
    ChangeDescription: fields.ChangeDescription,
  });
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
    Order: parseOrder(fields.Order) ?? null,
    MemoryCost: parseMemoryCost(fields.MemoryCost),
    Revision: fields.Revision,
  };
}

/** The multipart form of an upload: texts first, so that the server knows the activity before the file arrives. */
export function toUploadForm(id: number, fields: EditorFields, file: File): FormData {
  const upload: ActivityUpload = {
    ...toUpdate(id, fields),
    Schema: fields.Schema,
    ChangeDescription: fields.ChangeDescription.trim(),
    AcceptUnsupported: fields.accepted,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(upload)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.append('file', file, file.name);
  return form;
}
