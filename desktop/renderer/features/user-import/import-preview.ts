import type { PreviewedUser } from '#shared/contract/user-import.ts';

/** What a list would do, as the server says. */
export interface Preview {
  Users: PreviewedUser[];
  UnusedColumns: string[];
}
