import { useCallback, useEffect, useRef, useState } from 'react';
import { designs, openDesign } from '#shared/contract/designs.ts';
import { isAbort, toFailure, type AppFailure } from '#renderer/api/app-failure.ts';
import { upload, type UploadProgress } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { createUniqueId } from '#renderer/api/unique-id.ts';
import { recordActivity } from '#renderer/app/session.ts';

interface OpeningState {
  isOpening: boolean;
  /** Id of the upload in progress; null if there is none. */
  uploadId: string | null;
  /** Upload progress; null unless a file is being sent. */
  progress: UploadProgress | null;
  failure: AppFailure | null;
}

const IDLE: OpeningState = { isOpening: false, uploadId: null, progress: null, failure: null };

export interface DesignOpening extends OpeningState {
  /**
   * Opens a file, an example by its name, or (null) the activity's version in use. Returns the design's id; null if it
   * was refused or cancelled.
   */
  open: (activityId: number, schema: string, from: File | { example: string } | null) => Promise<number | null>;
  cancel: () => void;
}

/** Sends a workbook to the server for marking. A new workbook replaces the previous one. */
export function useOpenDesign(): DesignOpening {
  const [state, setState] = useState(IDLE);
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);

  const open = useCallback(
    async (activityId: number, schema: string, from: Parameters<DesignOpening['open']>[2]): Promise<number | null> => {
      const file = from instanceof File ? from : null;
      aborter.current?.abort();
      const own = new AbortController();
      aborter.current = own;
      const uploadId = createUniqueId();
      setState({ ...IDLE, isOpening: true, uploadId });
      const form = new FormData();
      form.append('Id', String(activityId));
      form.append('Schema', schema);
      if (file) form.append('file', file, file.name);
      else if (from !== null && 'example' in from) form.append('Example', from.example);
      try {
        const onProgress = (progress: UploadProgress): void => {
          recordActivity();
          if (file && aborter.current === own) setState((before) => ({ ...before, progress }));
        };
        const { Id } = await upload(openDesign, form, {
          query: { UploadId: uploadId },
          onProgress,
          signal: own.signal,
        });
        if (aborter.current !== own) return null;
        setState(IDLE);
        void queryClient.invalidateQueries({ queryKey: keyOf(designs) });
        return Id;
      } catch (error) {
        if (aborter.current === own) setState({ ...IDLE, failure: isAbort(error) ? null : toFailure(error) });
        return null;
      }
    },
    [],
  );

  return { ...state, open, cancel: useCallback(() => aborter.current?.abort(), []) };
}
