/** What a person sees: pages, activities and actions. For people who see the security matrix; nothing can be changed. */
import { Type, type Static } from 'typebox';
import { ActivityType } from './activities.ts';
import { closed, Id, needs, post } from './endpoint.ts';
import { RIGHT_NAMES } from './rights.ts';

/** Rights on an activity that allow something with the runs of others. */
export const RUN_RIGHTS = ['sk.ViewRuns', 'sk.CancelAnyRun', 'sk.PurgeRuns'] as const;

const SeenActivity = closed({
  Id,
  Name: Type.String(),
  Schema: Type.String(),
  Type: ActivityType,
  IsActive: Type.Boolean(),
  CanRun: Type.Boolean(),
  CanEdit: Type.Boolean(),
  CanShare: Type.Boolean(),
  /** True if the person sees a run of it. */
  HasRun: Type.Boolean(),
  /** Those of RUN_RIGHTS that the person holds for it. */
  Rights: Type.Array(Type.Enum(RUN_RIGHTS)),
});
export type SeenActivity = Static<typeof SeenActivity>;

const SeenChecklist = closed({
  Id,
  Name: Type.String(),
  Schema: Type.String(),
  IsWorkflow: Type.Boolean(),
  CanRun: Type.Boolean(),
  CanEdit: Type.Boolean(),
  HasRun: Type.Boolean(),
});
export type SeenChecklist = Static<typeof SeenChecklist>;

export const SeenPortal = closed({
  UserId: Id,
  UserName: Type.String(),
  UserFullName: Type.String(),
  /** False if the person cannot sign in at present. */
  IsEnabled: Type.Boolean(),
  IsUserAdmin: Type.Boolean(),
  /** True if the person signs in with a password of the portal. */
  IsLocal: Type.Boolean(),
  /** The rights that the person holds for at least one object. */
  Rights: Type.Array(Type.Enum(RIGHT_NAMES)),
  /** True if the person ever had an approval to decide. */
  HasApprovals: Type.Boolean(),
  /** Names of the pages of other programs that the person may open. */
  PluginPages: Type.Array(Type.String()),
  /** True if the person sees less from outside the trusted networks. */
  HasTrustedNetworks: Type.Boolean(),
  Activities: Type.Array(SeenActivity),
  Checklists: Type.Array(SeenChecklist),
});
export type SeenPortal = Static<typeof SeenPortal>;

export const seeAs = post('/api/seeas/:userId', {
  access: needs('sk.ViewSecurityMatrix'),
  sessionOnly: true,
  summary: 'Get what a person sees in the portal inside the trusted networks; recorded as a security action',
  parts: { params: closed({ userId: Id }), result: SeenPortal },
});
