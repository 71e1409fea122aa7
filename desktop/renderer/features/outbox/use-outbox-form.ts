import { useQuery } from '@tanstack/react-query';
import { bridge } from '#renderer/api/bridge.ts';
import type { DraftInput } from '#renderer/features/run-form/draft/form-draft.ts';

/** Returns the form inputs of a waiting start; undefined while loading, null if the start is gone. */
export function useOutboxForm(id: string | null): DraftInput[] | null | undefined {
  const { data } = useQuery({
    queryKey: ['outbox-form', id],
    queryFn: async () => JSON.parse((await bridge.outbox.formOf(id ?? '')) ?? 'null') as DraftInput[] | null,
    enabled: id !== null,
    staleTime: Infinity,
  });
  return id === null ? null : data;
}
