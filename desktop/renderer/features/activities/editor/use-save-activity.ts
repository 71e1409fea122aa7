import { useCallback, useRef, useState } from 'react';
import { activityDetails, updateActivity } from '#shared/contract/activities.ts';
import { createStoredProcedureActivity, procedureState } from '#shared/contract/procedures.ts';
import { createActivity, type UploadFailure } from '#shared/contract/versions.ts';
import { isAbort, toFailure, type AppFailure } from '#renderer/api/app-failure.ts';
import { call, upload, type UploadOptions, type UploadProgress } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { recordActivity } from '#renderer/app/session.ts';
import { t } from '#renderer/language/translate.ts';
import {
  hasWorkbook,
  toCreation,
  toProcedureUpdate,
  toUpdate,
  toUploadForm,
  type EditorFields,
} from './editor-fields.ts';
import type { Uploaded } from '#renderer/features/activities/upload/upload-state.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { createUploadIds } from './upload-ids.ts';

export interface Saved {
  /** Null if only fields were saved. */
  uploaded: Uploaded | null;
  message: string;
}

export interface SaveState {
  isSaving: boolean;
  /** Upload progress; null unless a file is being sent. */
  progress: UploadProgress | null;
  /** Id of the upload while a workbook is published; otherwise null. */
  uploadId: string | null;
  failure: AppFailure | null;
}

const IDLE: SaveState = { isSaving: false, progress: null, uploadId: null, failure: null };

/**
 * Saves an activity: with its file if one was chosen, else only its fields. Returns what was saved, or the failure;
 * null if the user cancelled.
 */
export function useSaveActivity(id: number) {
  const [state, setState] = useState(IDLE);
  const aborter = useRef<AbortController | null>(null);
  const [uploadIds] = useState(createUploadIds);

  const save = useCallback(
    async (before: EditorFields, fields: EditorFields): Promise<Saved | AppFailure | null> => {
      const uploadId = uploadIds.idOf(fields);
      const isUpload = fields.Type === 'Workbook' && hasWorkbook(fields);
      setState({ ...IDLE, isSaving: true, uploadId: isUpload ? uploadId : null });
      aborter.current = new AbortController();
      try {
        const onProgress = (progress: UploadProgress): void => {
          recordActivity();
          setState((before) => ({ ...before, progress }));
        };
        const { signal } = aborter.current;
        const saved = await send(id, { before, fields }, { signal, onProgress, query: { UploadId: uploadId } });
        uploadIds.onAnswer(200);
        refreshActivities();
        void queryClient.invalidateQueries({ queryKey: keyOf(activityDetails) });
        void queryClient.invalidateQueries({ queryKey: keyOf(procedureState) });
        setState(IDLE);
        return saved;
      } catch (error) {
        const failure = isAbort(error) ? null : toFailure(error);
        uploadIds.onAnswer(failure?.status ?? 0);
        setState({ ...IDLE, failure });
        return failure;
      }
    },
    [id, uploadIds],
  );

  return { ...state, save, cancel: () => aborter.current?.abort() };
}

async function send(
  id: number,
  { before, fields }: { before: EditorFields; fields: EditorFields },
  options: UploadOptions & { signal: AbortSignal },
): Promise<Saved> {
  const { signal } = options;
  if (fields.Type === 'StoredProcedure') return sendProcedure(id, { before, fields }, signal);
  if (!hasWorkbook(fields)) {
    await call(updateActivity, { body: toUpdate(id, fields), signal });
    return { uploaded: null, message: t('Activity updated') };
  }
  const { Id, Version } = await upload(createActivity, toUploadForm(id, fields), options);
  const uploaded = { id: Id, version: Version, name: fields.Name, isWorkbook: true };
  return { uploaded, message: id === 0 ? t('New activity created') : t('Activity updated') };
}

async function sendProcedure(
  id: number,
  { before, fields }: { before: EditorFields; fields: EditorFields },
  signal: AbortSignal,
): Promise<Saved> {
  if (id !== 0) {
    await call(updateActivity, { body: toProcedureUpdate(id, before, fields), signal });
    return { uploaded: null, message: t('Activity updated') };
  }
  const { Id, Version } = await call(createStoredProcedureActivity, { body: toCreation(fields), signal });
  const uploaded = { id: Id, version: Version, name: fields.Name, isWorkbook: false };
  return { uploaded, message: t('Activity created') };
}

/** True if someone else changed the activity since it was opened. */
export function isOutdated({ modelState, answer }: AppFailure): boolean {
  return 'Revision' in modelState || (answer as Partial<UploadFailure> | null | undefined)?.Revision !== undefined;
}

/** Returns what the server found in an uploaded workbook; empty if the failure is about something else. */
export function uploadFindings(failure: AppFailure | null): Pick<UploadFailure, 'Faults' | 'Unsupported'> {
  const answer = failure?.answer;
  if (typeof answer !== 'object' || answer === null) return {};
  const { Faults, Unsupported } = answer as Partial<UploadFailure>;
  return { Faults, Unsupported };
}
