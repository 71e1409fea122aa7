/** Pages of other programs. The portal only frames them: they run in an opaque origin, isolated from the portal. */
import type { Holder } from '#server/base/person.ts';
import { isRightName } from '#shared/contract/rights.ts';
import type { PluginPage } from '#shared/contract/settings.ts';
import { AppError } from '#server/base/app-error.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';

export interface PluginsService {
  /** Returns the pages that the person may open. */
  list(person: Holder): Promise<PluginPage[]>;
  /** Throws an AppError: 404 if there is no such page, 403 if the person may not open it. */
  find(person: Holder, name: string): Promise<PluginPage>;
}

export function createPluginsService(
  pages: readonly PluginPage[],
  rights: Pick<RightsService, 'hasNamed' | 'heldAnywhere'>,
): PluginsService {
  /** The person must hold the right for at least one object, as for the portal's own pages. */
  const mayView = async (person: Holder, { rightToView }: PluginPage): Promise<boolean> => {
    if (rightToView === undefined) return true;
    return isRightName(rightToView)
      ? rights.heldAnywhere(person, rightToView)
      : rights.hasNamed(person, rightToView, {});
  };

  return {
    list: async (person) => {
      const allowed = await Promise.all(pages.map((page) => mayView(person, page)));
      return pages.filter((_, index) => allowed[index]);
    },
    find: async (person, name) => {
      const page = pages.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (!page) throw new AppError('noPage', 404, 'Page Not Found.');
      if (!(await mayView(person, page))) throw new AppError('forbidden', 403, 'Not allowed');
      return page;
    },
  };
}

/** Returns the origins of the pages, the only ones that frames may load from. */
export const pluginOrigins = (pages: readonly PluginPage[]): string[] => [
  ...new Set(pages.map(({ url }) => new URL(url).origin)),
];
