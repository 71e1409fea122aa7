import { useQuery } from '@tanstack/react-query';
import { uploadsAhead } from '#shared/contract/versions.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';

const POLL_MS = 1_000;

type Ahead = { Ahead: number | null };

interface UploadStatusProps {
  uploadId: string;
  /** Text that is shown until the server reports what the upload is waiting for. */
  initial: string;
}

/** What an upload is waiting for. Screen readers announce changes when they are idle. */
export function UploadStatus({ uploadId, initial }: UploadStatusProps) {
  const ahead = useUploadsAhead(uploadId);
  return <span role="status">{ahead === null ? initial : waitText(ahead)}</span>;
}

function waitText(ahead: number): string {
  if (ahead === 0) return t('Checking the workbook…');
  return t(
    '{count, plural, one {Waiting for # other upload to be checked.} other {Waiting for # other uploads to be checked.}}',
    { count: ahead },
  );
}

function useUploadsAhead(uploadId: string): number | null {
  const params = { uploadId };
  const { data } = useQuery({
    ...queryOf(uploadsAhead, { params }),
    queryFn: ({ signal }) => call(uploadsAhead, { params, signal, polls: true }),
    refetchInterval: POLL_MS,
    gcTime: 0,
    // If several servers share the calls, a server that does not know the upload answers null. Keep the previous answer
    // then.
    structuralSharing: (before, now) => ((now as Ahead).Ahead === null ? (before ?? now) : now),
  });
  return data?.Ahead ?? null;
}
