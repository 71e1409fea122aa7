/** The name and other fields of a workflow before its first save, and what it starts from. */
import type { WorkflowCopy } from '#shared/contract/new-workflows.ts';
import { CHECKLIST_NAME_MAX } from '#shared/rules/checklist-rules.ts';
import { createUniqueId } from '#renderer/api/unique-id.ts';
import { t } from '#renderer/language/translate.ts';
import type { EditedWorkflow } from '../use-workflow-draft.ts';

export interface WorkflowFields {
  Name: string;
  Schema: string;
  Description: string;
  Group: string;
  /** Identifies this form, so that two saves create one workflow. */
  UniqueId: string;
}

/** @param schemas those in which the user may create workflows */
export function newFields(copy: WorkflowCopy | null, schemas: readonly [string, ...string[]]): WorkflowFields {
  return {
    Name: copy ? copyName(copy.Name) : '',
    Schema: schemas.find((name) => name === copy?.Schema) ?? schemas[0],
    Description: copy?.Description ?? '',
    Group: copy?.Group ?? '',
    UniqueId: createUniqueId(),
  };
}

/** Number of characters that a copy's name may be longer than the name of the original. */
const COPY_SUFFIX_MAX = 15;

const copyName = (name: string): string =>
  t('{name} (copy)', { name: name.slice(0, CHECKLIST_NAME_MAX - COPY_SUFFIX_MAX) });

/** Returns the fields with those of a copy where the user has not entered anything yet. */
export function withCopied(fields: WorkflowFields, copy: WorkflowCopy, schemas: readonly string[]): WorkflowFields {
  const isUntouched = fields.Name.trim() === '';
  return {
    ...fields,
    Name: isUntouched ? copyName(copy.Name) : fields.Name,
    Schema: isUntouched && schemas.includes(copy.Schema) ? copy.Schema : fields.Schema,
    Description: fields.Description.trim() === '' ? copy.Description : fields.Description,
    Group: fields.Group.trim() === '' ? copy.Group : fields.Group,
  };
}

/** Returns the workflow that the editor starts with: empty, or a copy. */
export function startOf(copy: WorkflowCopy | null): EditedWorkflow {
  if (!copy) return EMPTY;
  const { Graph, Faults, Activities } = copy;
  return { Id: 0, NewestVersion: 0, Graph, Faults, Activities };
}

const EMPTY: EditedWorkflow = {
  Id: 0,
  NewestVersion: 0,
  Graph: { Inputs: [], Steps: [] },
  Faults: [{ Step: null, Message: 'A workflow must contain at least one step.' }],
  Activities: [],
};
