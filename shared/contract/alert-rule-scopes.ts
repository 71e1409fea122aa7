/** What alert rules cover. Separate from alert-rules.ts because the notification list on every page needs only this. */

/**
 * What a rule covers. All, Schema, Group, Pattern and Mine cover activities, and checklists and workflows as a whole.
 * Pattern compares names. Mine is what the owner of the rule owns: activities whose current version they published, and
 * checklists and workflows that they created.
 */
export const RULE_SCOPES = ['All', 'Schema', 'Group', 'Pattern', 'Mine', 'Workflows'] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** Rules that every user has without creating them: failures of what they own, and of runs that they started. */
export const DEFAULT_SCOPES = ['Owner', 'Starter'] as const;
export type AlertScope = RuleScope | (typeof DEFAULT_SCOPES)[number];
