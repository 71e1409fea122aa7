import type { Core } from '#server/features/core.ts';
import type { ExternalUsersService } from '#server/features/users/external-users-service.ts';
import { createDirectories, createDirectoriesService } from './directories-service.ts';

export const directoriesModule = {
  create: ({ sources, log, externalUsers }: Core & { externalUsers: ExternalUsersService }) => ({
    directories: createDirectoriesService(createDirectories(sources), externalUsers, log),
  }),
};
