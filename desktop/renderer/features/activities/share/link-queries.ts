import { activityShares } from '#shared/contract/sharing.ts';
import { TOUCHED } from '#renderer/features/rights/use-grants.ts';

/** Queries that a change of the public link affects. */
export const LINK_TOUCHED = [activityShares, ...TOUCHED];
