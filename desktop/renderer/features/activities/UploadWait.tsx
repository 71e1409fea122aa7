import { useQuery } from '@tanstack/react-query';
import { uploadsAhead } from '#shared/contract/versions.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';

const POLL_MS = 1_000;

type Ahead = { Ahead: number | null };

interface UploadWaitProps {
  uploadId: string;
  /** What is shown until the server has said what the upload waits for. */
  initial: string;
}

/** What an upload waits for, as text that screen readers announce when they are idle. */
export function UploadWait({ uploadId, initial }: UploadWaitProps) {
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
    // Where several servers share the calls, one that does not know the upload says nothing of it.
    structuralSharing: (before, now) => ((now as Ahead).Ahead === null ? (before ?? now) : now),
  });
  return data?.Ahead ?? null;
}
