import { useCallback, useEffect, useRef, useState } from 'react';
import type { RegionId } from '#shared/contract/auth.ts';
import { inspectWorkbook, type InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { isAbort, toFailure, type AppFailure } from '#renderer/api/app-failure.ts';
import { upload } from '#renderer/api/client.ts';
import { recordActivity } from '#renderer/app/session.ts';
import { createUniqueId } from '#renderer/api/unique-id.ts';

export interface InspectionState {
  /** Id of the upload that is being inspected; null if there is none. */
  uploadId: string | null;
  /** Result for the file that was chosen last. */
  found: InspectedWorkbook | null;
  failure: AppFailure | null;
}

const NOTHING: InspectionState = { uploadId: null, found: null, failure: null };

/** Inspects which activity a chosen workbook would become. A new choice aborts the previous inspection. */
export function useInspection() {
  const [state, setState] = useState(NOTHING);
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);

  const inspect = useCallback(
    async (file: File | null, Schema: string, region: RegionId | '' = ''): Promise<InspectedWorkbook | null> => {
      aborter.current?.abort();
      if (!file) {
        setState(NOTHING);
        return null;
      }
      const own = new AbortController();
      aborter.current = own;
      const uploadId = createUniqueId();
      setState({ ...NOTHING, uploadId });
      const form = new FormData();
      form.append('Schema', Schema);
      if (region !== '') form.append('Region', region);
      form.append('file', file, file.name);
      try {
        const query = { UploadId: uploadId };
        const found = await upload(inspectWorkbook, form, { query, onProgress: recordActivity, signal: own.signal });
        if (aborter.current !== own) return null;
        setState({ ...NOTHING, found });
        return found;
      } catch (error) {
        if (aborter.current === own && !isAbort(error)) setState({ ...NOTHING, failure: toFailure(error) });
        return null;
      }
    },
    [],
  );

  return { ...state, inspect };
}
