import type { Dashboard, Tile } from '#shared/contract/dashboards.ts';
import { createRevisionSender } from '#renderer/api/revision-sender.ts';

export interface DashboardDraft {
  Name: string;
  Tiles: Tile[];
}

type Stored = Pick<Dashboard, 'Name' | 'Tiles' | 'Revision'>;

export interface DashboardCalls {
  /** Rejects with an AppFailure 409 if the dashboard has another revision. */
  save: (revision: number, draft: DashboardDraft) => Promise<{ Revision: number }>;
  read: () => Promise<Stored>;
}

/** Saves a dashboard; a lost response causes no conflict (see createRevisionSender). */
export function createDashboardSender(
  opened: Stored,
  { save, read }: DashboardCalls,
): (revision: number, draft: DashboardDraft) => Promise<{ Revision: number }> {
  const send = createRevisionSender(draftOf(opened), {
    save,
    read: async () => {
      const stored = await read();
      return { revision: stored.Revision, content: draftOf(stored) };
    },
    resultOf: (Revision) => ({ Revision }),
  });
  return (revision, draft) => send(revision, draftOf(draft));
}

/** The server trims names. */
const draftOf = ({ Name, Tiles }: DashboardDraft): DashboardDraft => ({ Name: Name.trim(), Tiles });
