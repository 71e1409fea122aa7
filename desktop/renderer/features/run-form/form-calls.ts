/** The calls of a run form, depending on how it was opened. */
import { picker, type PickerPage, type PickerQuery } from '#shared/contract/activities.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import { uploadFiles } from '#shared/contract/files.ts';
import { downloadSample, updateUi, type UpdateUiBody, type UpdateUiResult } from '#shared/contract/forms.ts';
import { startLink } from '#shared/contract/links.ts';
import {
  publicPicker,
  publicSample,
  publicStartRun,
  publicUpdateUi,
  publicUploadFiles,
} from '#shared/contract/public-runs.ts';
import { startRun } from '#shared/contract/runs.ts';
import { call, upload, type UploadOptions } from '#renderer/api/client.ts';
import type { FormOrigin } from './form-origin.ts';
import type { StartedRun } from './start/started-run.ts';

/** Loaded on demand, so that visitors' forms do not include it. */
export const checklistCalls = () => import('./checklist-form-calls.ts');

const linkOf = (origin: FormOrigin): { LinkId?: number } => (origin.kind === 'link' ? { LinkId: origin.linkId } : {});

interface PickerColumn {
  activityId: number;
  inputId: number;
  index: number;
}

export const pickValues = (
  origin: FormOrigin,
  params: PickerColumn,
  query: PickerQuery,
  signal?: AbortSignal,
): Promise<PickerPage> =>
  origin.kind === 'public'
    ? call(publicPicker, { params, body: query, signal })
    : call(picker, { params, body: { ...query, ...linkOf(origin) }, signal });

export async function startForm(origin: FormOrigin, body: BodyOf<typeof startRun>): Promise<StartedRun> {
  if (origin.kind === 'own') return call(startRun, { body });
  if (origin.kind === 'public') return call(publicStartRun, { body });
  if (origin.kind === 'checklist') return (await checklistCalls()).startChecklistForm(origin, body);
  const { linkId: ActivityLinkId, runId: ActivityRunId, transforms } = origin;
  const OutputTransforms = [...transforms];
  const { ActivityId: _, ...form } = body;
  return call(startLink, { body: { ActivityLinkId, ActivityRunId, OutputTransforms, ...form } });
}

export function updateForm(origin: FormOrigin, body: UpdateUiBody): Promise<UpdateUiResult> {
  if (origin.kind === 'public') return call(publicUpdateUi, { body });
  const of = origin.kind === 'link' ? { ...linkOf(origin), ActivityRunId: origin.runId } : {};
  return call(updateUi, { body: { ...body, ...of } });
}

/** Append the files last, so that a streaming server already knows their purpose. */
export function uploadTo(
  origin: FormOrigin,
  inputId: number,
  files: readonly File[],
  options: UploadOptions,
): Promise<ResultOf<typeof uploadFiles>> {
  const form = new FormData();
  form.append('ActivityInputId', String(inputId));
  form.append('LinkId', String(linkOf(origin).LinkId ?? ''));
  for (const file of files) form.append('files', file, file.name);
  return upload(origin.kind === 'public' ? publicUploadFiles : uploadFiles, form, options);
}

export const sampleToken = (origin: FormOrigin, id: number): Promise<string> =>
  call(origin.kind === 'public' ? publicSample : downloadSample, { params: { id } });
