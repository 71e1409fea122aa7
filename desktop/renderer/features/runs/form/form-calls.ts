/** The calls a run form works by, by how it was opened. */
import { picker, type PickerPage, type PickerQuery } from '#shared/contract/activities.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import { uploadFiles } from '#shared/contract/files.ts';
import { downloadSample, updateUi, type UpdateUiBody, type UpdateUiResult } from '#shared/contract/forms.ts';
import { startLink } from '#shared/contract/links.ts';
import { startRun } from '#shared/contract/runs.ts';
import { call, upload, type UploadOptions } from '#renderer/api/client.ts';
import type { FormOrigin } from './form-origin.ts';

const linkOf = (origin: FormOrigin): { LinkId?: number } => (origin.kind === 'link' ? { LinkId: origin.linkId } : {});

interface PickerPlace {
  activityId: number;
  inputId: number;
  index: number;
}

export const pickValues = (origin: FormOrigin, params: PickerPlace, query: PickerQuery): Promise<PickerPage> =>
  call(picker, { params, body: { ...query, ...linkOf(origin) } });

/** Answers the Id of the run. */
export async function startForm(origin: FormOrigin, body: BodyOf<typeof startRun>): Promise<number> {
  if (origin.kind === 'own') return (await call(startRun, { body })).Id;
  const { linkId: ActivityLinkId, runId: ActivityRunId, transforms } = origin;
  const OutputTransforms = [...transforms];
  return (await call(startLink, { body: { ActivityLinkId, ActivityRunId, OutputTransforms, Inputs: body.Inputs } })).Id;
}

export function updateForm(origin: FormOrigin, body: UpdateUiBody): Promise<UpdateUiResult> {
  const of = origin.kind === 'link' ? { ...linkOf(origin), ActivityRunId: origin.runId } : {};
  return call(updateUi, { body: { ...body, ...of } });
}

/** The files last: a server that streams knows by then what they are for. */
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
  return upload(uploadFiles, form, options);
}

export const sampleToken = (_origin: FormOrigin, id: number): Promise<string> =>
  call(downloadSample, { params: { id } });
