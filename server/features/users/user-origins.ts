/** The sources of users who are not local, as administrators see them. */
import type { DirectoryProfile, ExternalSource } from '#shared/contract/users.ts';
import { DIRECTORY_NAME_MAX, SOURCE_NAME_MAX, isOneLine } from '#shared/rules/user-rules.ts';
import { AppError } from '#server/base/app-error.ts';
import type { UserSource } from './user-sources-repository.ts';

/** The configured directories and providers. */
export interface UserOrigins {
  readonly sources: readonly ExternalSource[];
  /** The setting ProfileDataFromAD. */
  readonly profileFromDirectory: boolean;
  /** Returns a directory's entry for a name. Rejects if a directory is not reachable. */
  findInDirectory(userName: string, sourceName?: string): Promise<DirectoryProfile | null>;
}

export interface OriginFields {
  UserName: string;
  Source: 'AD' | 'SSO';
  SourceName?: string;
  SourceUserName?: string;
}

/** Validates and returns the chosen source. Throws an AppError 400 with problems by field. */
export function originOf(origins: UserOrigins, fields: OriginFields): UserSource {
  const { Source } = fields;
  const known = origins.sources.find((one) => one.Source === Source && one.SourceName === fields.SourceName);
  if (!known) throw sourceError('SourceName', 'There is no such directory or provider');
  const SourceUserName = (fields.SourceUserName ?? '').trim() || fields.UserName.trim();
  const maxLength = Source === 'AD' ? DIRECTORY_NAME_MAX : SOURCE_NAME_MAX;
  if (SourceUserName.length > maxLength) throw sourceError('SourceUserName', `At most ${maxLength} characters`);
  if (!isOneLine(SourceUserName))
    throw sourceError('SourceUserName', 'A name must not contain line breaks or control characters');
  return { Source, SourceName: known.SourceName, SourceUserName };
}

/** Throws an AppError: 404 if no directory knows the name, 503 if one is not reachable. */
export async function requireInDirectory(
  origins: UserOrigins,
  userName: string,
  sourceName?: string,
): Promise<DirectoryProfile> {
  const found = await origins.findInDirectory(userName, sourceName).catch((cause: unknown) => {
    const text = 'The directory cannot be reached. Please try again later.';
    throw new AppError('directoryAway', 503, text, { cause });
  });
  if (found) return found;
  const text = 'The directory has no user of this name';
  throw new AppError('notInDirectory', 404, text, { modelState: { SourceUserName: [text] } });
}

export function sourceTaken(cause?: unknown): AppError {
  return sourceError('SourceUserName', 'Another user already uses this directory or provider name', cause);
}

function sourceError(field: string, text: string, cause?: unknown): AppError {
  return new AppError('userSource', 400, text, { modelState: { [field]: [text] }, cause });
}
