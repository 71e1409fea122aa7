/**
 * Runs without signing in: activities for which the internet holds sk.RunActivity, and the runs that visitors started.
 * Calls about a run carry its token in RUN_TOKEN_HEADER; with a wrong or missing token, the run is reported as not
 * found. Source: specifications of activities and of security, sections 2, 6 and 7.
 */
import { Type, type Static } from 'typebox';
import { Activity, FileToken, picker, PickerPage, PickerQuery } from './activities.ts';
import { closed, get, IdParams, post, publicAccess, RunId, RunIdParams } from './endpoint.ts';
import { uploadFiles } from './files.ts';
import { downloadSample, downloadSampleAs, UpdateUiBody, UpdateUiResult } from './forms.ts';
import {
  ActivityRun,
  downloadInputFile,
  downloadInputFileAt,
  ProvideInputBody,
  RunState,
  StartBody,
  StartConflict,
  StartResult,
} from './runs.ts';

export const PublicActivity = closed({
  ...Activity.properties,
  /** True if a pending run currently prevents another start. */
  IsRunning: Type.Boolean(),
});
export type PublicActivity = Static<typeof PublicActivity>;

export const PublicStartResult = closed({
  ...StartResult.properties,
  /** Grants access to the run. Returned only once. */
  RunToken: Type.String(),
});
export type PublicStartResult = Static<typeof PublicStartResult>;

export const publicActivityDetails = get('/api/public/activities/details/:id', {
  access: publicAccess,
  summary: 'Get an activity that visitors may run',
  parts: { params: IdParams, result: PublicActivity },
});

export const publicPicker = post('/api/public/activities/picker/:activityId/:inputId/:index', {
  access: publicAccess,
  summary: 'List the values of a picker of an input; index is the column, from 0',
  parts: { params: picker.parts.params, body: PickerQuery, result: PickerPage },
});

export const publicUpdateUi = post('/api/public/activities/updateui', {
  access: publicAccess,
  summary: 'Recalculate a visitor’s form',
  parts: { body: UpdateUiBody, result: UpdateUiResult },
});

export const publicUploadFiles = post('/api/public/files/upload', {
  access: publicAccess,
  summary: 'Upload a visitor’s files for an input',
  transport: 'multipart',
  parts: { result: uploadFiles.parts.result },
});

export const publicStartRun = post('/api/public/activities/start', {
  access: publicAccess,
  summary: 'Start a run of a visitor; the response contains its token',
  parts: { body: StartBody, result: PublicStartResult, conflict: StartConflict },
});

export const publicRunDetails = get('/api/public/activities/status/:id', {
  access: publicAccess,
  summary: 'Get a run of the visitor with its inputs, outputs and log',
  parts: { params: RunIdParams, result: ActivityRun },
});

export const publicRunState = post('/api/public/activities/status/:id', {
  access: publicAccess,
  summary: 'Get what changes while a run of the visitor is in progress',
  parts: { params: RunIdParams, body: Type.Array(RunId, { maxItems: 1000 }), result: RunState },
});

export const publicProvideInput = post('/api/public/activities/provideinput', {
  access: publicAccess,
  summary: 'Answer the prompt of a run of the visitor',
  parts: { body: ProvideInputBody, result: Type.Null() },
});

const parameterFile = (kind: 'input' | 'output', index: boolean) =>
  get(`/api/public/activities/${kind}/download/:runId/:parameterId${index ? '/:index' : ''}`, {
    access: publicAccess,
    summary: `Download a file of an ${kind} of the visitor’s run; returns a file token`,
    parts: { params: (index ? downloadInputFileAt : downloadInputFile).parts.params, result: FileToken },
  });

export const publicInputFile = parameterFile('input', false);
export const publicInputFileAt = parameterFile('input', true);
export const publicOutputFile = parameterFile('output', false);
export const publicOutputFileAt = parameterFile('output', true);

export const publicSample = get('/api/public/activities/downloadsample/input/:id', {
  access: publicAccess,
  summary: 'Download the sample file of an input; returns a token',
  parts: { params: IdParams, result: downloadSample.parts.result },
});

export const publicSampleAs = get('/api/public/activities/downloadsample/input/:id/:n', {
  access: publicAccess,
  summary: 'Download the sample file of an input in a format: 0 as in its name, 1 .xlsx, 2 .csv; returns a token',
  parts: { params: downloadSampleAs.parts.params, result: downloadSampleAs.parts.result },
});
