import { useCallback, useRef, useState } from 'react';
import { listRoles, roleUsers } from '#shared/contract/roles.ts';
import { IMPORT_PART_ROWS, importUsers, type ImportedUser } from '#shared/contract/user-import.ts';
import { listUsers, type UserAbilities } from '#shared/contract/users.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { originBody } from './import-origin.ts';
import type { ImportRow } from './import-rows.ts';

export interface ImportWork {
  rows: readonly ImportRow[];
  isRunning: boolean;
  /** Why the import stopped before its end; null if it did not. */
  failure: string | null;
  run: (users: ImportedUser[], origin: string, sources: UserAbilities['ExternalSources']) => Promise<void>;
  /** Stops after the current part. */
  stop: () => void;
  clear: () => void;
}

/**
 * Adds users in parts, one after the other, so that progress is visible. Whatever happens, each row says what became of
 * its user.
 */
export function useImport(): ImportWork {
  const [rows, setRows] = useState<readonly ImportRow[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isStopped = useRef(false);

  const run = useCallback<ImportWork['run']>(async (users, origin, sources) => {
    isStopped.current = false;
    setFailure(null);
    setRunning(true);
    const written: ImportRow[] = users.map((user) => ({ user, outcome: null, isUncertain: false }));
    setRows([...written]);
    for (let start = 0; start < users.length && !isStopped.current; start += IMPORT_PART_ROWS) {
      const part = users.slice(start, start + IMPORT_PART_ROWS);
      const set = (fields: (index: number) => Partial<ImportRow>): void => {
        for (const index of part.keys()) written[start + index] = { ...written[start + index]!, ...fields(index) };
        setRows([...written]);
      };
      try {
        const { Outcomes } = await call(importUsers, { body: { Users: part, ...originBody(origin, sources) } });
        set((index) => ({ outcome: Outcomes[index] ?? null }));
      } catch (error) {
        const { status, message } = toFailure(error);
        // A refusal of the whole call came before its first change.
        if (status === 0 || status >= 500) set(() => ({ isUncertain: true }));
        setFailure(message);
        break;
      }
    }
    setRunning(false);
    for (const endpoint of [listUsers, listRoles, roleUsers])
      void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
  }, []);

  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  const clear = useCallback(() => {
    setRows([]);
    setFailure(null);
  }, []);
  return { rows, isRunning, failure, run, stop, clear };
}
