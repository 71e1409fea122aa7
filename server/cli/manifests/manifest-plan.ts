import type { ManifestChange } from '#shared/manifests/manifest-changes.ts';

/** How a portal differs from a manifest. */
export interface ManifestPlan {
  Action: 'Create' | 'Change' | 'None';
  Changes: ManifestChange[];
}
