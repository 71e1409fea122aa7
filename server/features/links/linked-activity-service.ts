/** The activity that a link leads to, as its form shows it. */
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Person } from '#server/base/person.ts';
import type { LinkedActivity } from '#shared/contract/links.ts';
import { linkedInputs } from './linked-inputs.ts';
import type { LinksService } from './links-service.ts';

export interface LinkedActivityService {
  details(person: Person, linkId: number): Promise<LinkedActivity>;
}

export function createLinkedActivityService(links: LinksService, activities: ActivitiesService): LinkedActivityService {
  return {
    details: async (person, linkId) => {
      const { link, mappings, target } = await links.follow(person, linkId);
      const [Link, Activity] = await Promise.all([
        links.view(person, link, target),
        activities.details(person, link.LinkedActivityId),
      ]);
      return { Link, Activity: { ...Activity, Inputs: linkedInputs(Activity.Inputs, mappings) } };
    },
  };
}
