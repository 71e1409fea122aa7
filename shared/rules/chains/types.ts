/**
 * A chain: steps that run in an order, as a checklist or a workflow says. Kept as JSON, so that its fields are spelt as everywhere else.
 */
import type { RunStatus } from '#shared/contract/run-status.ts';

export const STEP_KINDS = ['Activity', 'ForEach', 'Decision', 'Approval'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** When an edge is taken. yes and no are the two ways out of a decision. */
export const EDGE_CONDITIONS = ['success', 'warning', 'failure', 'always', 'yes', 'no'] as const;
export type EdgeCondition = (typeof EDGE_CONDITIONS)[number];

/**
 * What a step with several edges into it waits for. AllSucceeded: every edge is taken or was left out by a branch, and one at least is
 * taken. AllEnded: whatever the steps before it came to, once all have ended. AnySucceeded: the first edge that is taken.
 */
export const JOIN_RULES = ['AllSucceeded', 'AllEnded', 'AnySucceeded'] as const;
export type JoinRule = (typeof JOIN_RULES)[number];

/** Stop starts nothing new in the whole chain. Continue lets other branches go on. Handled has an edge on failure that deals with it. */
export const FAILURE_POLICIES = ['Stop', 'Continue', 'Handled'] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

/** The edge from an earlier step into the one that names it. */
export interface ChainEdge {
  Step: string;
  When: EdgeCondition;
}

/** Where the value of an input comes from. Names are compared without regard to case. */
export type ValueSource =
  /** An input of the chain, asked for when it is started. */
  | { Kind: 'Input'; Name: string }
  /** An output of an earlier step; of a For each a table that its rows give together. */
  | { Kind: 'Output'; Step: string; Name: string }
  /** A column of the row, in a For each. */
  | { Kind: 'Column'; Name: string };

export interface InputMapping {
  /** Name of the input of the step's activity. */
  Input: string;
  From: ValueSource;
}

interface StepBase {
  /** Tells the step from the others for as long as it lives: 1 to 40 letters, digits, '-' and '_'. */
  Key: string;
  Name: string;
  After: ChainEdge[];
  Join: JoinRule;
  OnFailure: FailurePolicy;
  /** Where it was moved to by hand. */
  X?: number;
  Y?: number;
}

interface ActivityUse {
  ActivityId: number;
  /** Inputs that are not named have a preset value, or take the workbook's own. */
  Inputs: InputMapping[];
  /** Whether it does no harm to run it twice: where a server is interrupted in its middle, it is run again by itself. */
  MayRepeat?: boolean;
}

export interface ActivityStep extends StepBase, ActivityUse {
  Kind: 'Activity';
}

/** The activity once for each row of a table. */
export interface ForEachStep extends StepBase, ActivityUse {
  Kind: 'ForEach';
  /** A table that is asked for when the chain is started, or an output of an earlier step. */
  Rows: ValueSource;
  /** Column that names the rows; null for their numbers, from 1. */
  KeyColumn: string | null;
  /** Rows that run at once. */
  AtOnce: number;
  /** Failed rows after which no other is started; null for no such limit. */
  StopAfterFailures: number | null;
}

/** Whether a condition on single values holds. */
export interface DecisionStep extends StepBase {
  Kind: 'Decision';
  /** In the condition language; its columns are the names of Values. */
  Condition: string;
  Values: { Name: string; From: ValueSource }[];
}

/** People decide whether it goes on. */
export interface ApprovalStep extends StepBase {
  Kind: 'Approval';
  /** Names of the roles whose members may decide, beside the people of UserIds. */
  Roles: string[];
  UserIds: number[];
  /** How many people have to approve. */
  Needed: number;
  /** Whether who started the chain, or one that it goes on from, may decide. */
  StarterMayApprove: boolean;
  /** What those who decide are shown. */
  Text: string;
  Values: { Name: string; From: ValueSource }[];
  /** Hours until it expires; null for never. */
  ExpiresAfterHours: number | null;
  /** What an expired one comes to. */
  OnExpiry: 'Fail' | 'Approve';
}

export type ChainStep = ActivityStep | ForEachStep | DecisionStep | ApprovalStep;

export interface ChainGraph {
  /** Names of the inputs asked for when it is started, in their order. */
  Inputs: { Name: string }[];
  Steps: ChainStep[];
}

export const FOR_EACH_AT_ONCE = 4;
/** The most that may be asked for. */
export const FOR_EACH_MOST_AT_ONCE = 100;
export const FOR_EACH_MOST_ROWS = 10_000;
/** How often a step that may repeat is run, or a row of one, while servers are interrupted. */
export const REPEATED_MOST = 3;
export const STEP_KEY_MAX = 40;
export const ROW_KEY_MAX = 200;

/** A graph with the version of every activity in it, as it was when a run of it was started. */
export interface ChainPlan {
  Graph: ChainGraph;
  /** By ActivityId. */
  Versions: Record<string, number>;
}

/**
 * Why a step was not run: a branch or a handled failure left it out; steps it needs did not succeed; a failure stopped the chain; a person
 * cancelled the chain.
 */
export const NOT_RUN_REASONS = ['LeftOut', 'Blocked', 'Stopped', 'Cancelled'] as const;
export type NotRunReason = (typeof NOT_RUN_REASONS)[number];

/** Where a step stands that has begun or ended. */
export interface StepState {
  Status: RunStatus;
  /** Set where it ended, as Cancelled, without having been started. */
  NotRunBecause: NotRunReason | null;
  /** What a decision that succeeded came to. */
  Holds?: boolean;
  /** Whether it is what an earlier chain came to, which this one goes on with: its failure stops nothing here. */
  IsKept?: boolean;
}

/** By the key of the step. A step without one has not begun. */
export type StepStates = ReadonlyMap<string, StepState>;
