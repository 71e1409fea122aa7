import { useQuery } from '@tanstack/react-query';
import { versionFidelity } from '#shared/contract/fidelity.ts';
import { queryOf } from '#renderer/api/queries.ts';

/** Queries the report of a version, which never changes. */
export function useFidelity(id: number, version: number) {
  return useQuery({ ...queryOf(versionFidelity, { params: { id, version } }), staleTime: Infinity });
}
