/**
 * A chain is a workflow or checklist at runtime: steps that run in a defined order. Stored as JSON, which is why its
 * fields are spelled as in the contract.
 */
import type { ColumnKind } from '#shared/codecs/condition-columns.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

const STEP_KINDS = ['Activity', 'ForEach', 'Decision', 'Approval'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** When an edge is taken. yes and no are the two outcomes of a decision. */
export const EDGE_CONDITIONS = ['success', 'warning', 'failure', 'always', 'yes', 'no'] as const;
export type EdgeCondition = (typeof EDGE_CONDITIONS)[number];

/**
 * What a step with several incoming edges waits for.
 * - AllSucceeded: every edge is either taken or skipped by a branch, and at least one is taken.
 * - AllEnded: all steps before it have ended, whatever their outcome.
 * - AnySucceeded: the first edge that is taken.
 */
export const JOIN_RULES = ['AllSucceeded', 'AllEnded', 'AnySucceeded'] as const;
export type JoinRule = (typeof JOIN_RULES)[number];

/**
 * What happens after a failure. Stop: the workflow starts nothing new. Continue: other branches continue. Handled: an
 * edge on failure handles it.
 */
export const FAILURE_POLICIES = ['Stop', 'Continue', 'Handled'] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

/** The edge from an earlier step to the step that contains it. */
export interface WorkflowEdge {
  Step: string;
  When: EdgeCondition;
}

/** Source of an input's value. Names are compared without regard to case. */
export type ValueSource =
  /** An input of the workflow, which is asked for at the start. */
  | { Kind: 'Input'; Name: string }
  /** An output of an earlier step; for a ForEach step, one of its combined tables. */
  | { Kind: 'Output'; Step: string; Name: string }
  /** A column of the current row; only in a ForEach step. */
  | { Kind: 'Column'; Name: string }
  | ConstantSource
  | ExpressionSource;

/** A single value that the author of the workflow entered; null is blank, a Date is a serial day. */
export interface ConstantSource {
  Kind: 'Constant';
  Value: string | number | boolean | null;
}

/**
 * A formula in Excel's language over Inputs.[Name], [Step].[Output] and [Step].[Table][Column] (see
 * expression-names.ts), evaluated when its step is queued. It may begin with '='.
 */
export interface ExpressionSource {
  Kind: 'Expression';
  Formula: string;
}

/** A source that reads one input, output or column by its name. */
export type NamedSource = Extract<ValueSource, { Name: string }>;

export interface InputMapping {
  /** Name of the input of the step's activity. */
  Input: string;
  From: ValueSource;
}

interface StepBase {
  /** Identifies the step permanently: 1 to 40 letters, digits, '-' and '_'. */
  Key: string;
  Name: string;
  After: WorkflowEdge[];
  Join: JoinRule;
  OnFailure: FailurePolicy;
  /** Position in the diagram if the user placed the step by hand. */
  X?: number;
  Y?: number;
}

interface ActivityUse {
  ActivityId: number;
  /** Inputs that are not listed have a preset value or use the workbook's own value. */
  Inputs: InputMapping[];
  /**
   * True if repeating the step is harmless: if a server is interrupted during it, the step is run again automatically.
   */
  MayRepeat?: boolean;
}

export interface ActivityStep extends StepBase, ActivityUse {
  Kind: 'Activity';
}

/** Runs the activity once per row of a table. */
export interface ForEachStep extends StepBase, ActivityUse {
  Kind: 'ForEach';
  /** A table that is asked for at the start of the workflow, an output of an earlier step, or an expression. */
  Rows: ValueSource;
  /** Column that names the rows; null to use their numbers, from 1. */
  KeyColumn: string | null;
  /** Maximum number of rows that run concurrently. */
  AtOnce: number;
  /** Number of failed rows after which no further row is started; null for no limit. */
  StopAfterFailures: number | null;
}

/** Evaluates a condition on single values. */
export interface DecisionStep extends StepBase {
  Kind: 'Decision';
  /**
   * In the condition language; its columns are the names of Values. If it begins with '=', it is an expression that
   * returns TRUE or FALSE.
   */
  Condition: string;
  Values: { Name: string; From: ValueSource }[];
}

/** Waits until users decide whether the workflow continues. */
export interface ApprovalStep extends StepBase {
  Kind: 'Approval';
  /** Names of roles whose members may decide, in addition to the users in UserIds. */
  Roles: string[];
  UserIds: number[];
  /** Number of approvals required. */
  Needed: number;
  /** True if the user who started the workflow run, or an earlier run that it resumes, may decide. */
  StarterMayApprove: boolean;
  /** Shown to the approvers. */
  Text: string;
  Values: { Name: string; From: ValueSource }[];
  /** Hours until it expires; null for never. */
  ExpiresAfterHours: number | null;
  /** Outcome of an expired approval. */
  OnExpiry: 'Fail' | 'Approve';
}

export type WorkflowStep = ActivityStep | ForEachStep | DecisionStep | ApprovalStep;

/** An input that a start asks for. */
export interface WorkflowInput {
  Name: string;
  /** Type of an input that no activity takes; absent if activities, or rows of ForEach steps, decide the type. */
  Type?: ColumnKind;
  /** Value if none is entered: a constant, or an expression over other inputs. */
  Default?: ConstantSource | ExpressionSource;
}

export interface WorkflowGraph {
  /** In the order in which a start asks for them. */
  Inputs: WorkflowInput[];
  Steps: WorkflowStep[];
}

export const DEFAULT_FOR_EACH_CONCURRENCY = 4;
/** Maximum value of AtOnce. */
export const MAX_FOR_EACH_CONCURRENCY = 100;
export const MAX_FOR_EACH_ROWS = 10_000;
/**
 * Maximum number of attempts, including the first one, of a repeatable step or one of its rows if servers are
 * interrupted during it.
 */
export const MAX_STEP_ATTEMPTS = 3;
export const STEP_KEY_MAX = 40;
export const ROW_KEY_MAX = 200;

/** A graph with the versions of all its activities at the start of the run. */
export interface WorkflowPlan {
  Graph: WorkflowGraph;
  /** By ActivityId. */
  Versions: Record<string, number>;
}

/**
 * Why a step was not run. LeftOut: skipped by a branch or a handled failure. Blocked: a required step did not succeed.
 * Stopped: a failure stopped the workflow. Cancelled: a user cancelled the workflow.
 */
const NOT_RUN_REASONS = ['LeftOut', 'Blocked', 'Stopped', 'Cancelled'] as const;
export type NotRunReason = (typeof NOT_RUN_REASONS)[number];

/** State of a step that has started or ended. */
export interface StepState {
  Status: RunStatus;
  /** Set if the step ended as Cancelled without having been started. */
  NotRunBecause: NotRunReason | null;
  /** Outcome of a decision that succeeded. */
  Holds?: boolean;
  /**
   * True if the state is reused from the earlier run that this one resumes: its failure does not stop anything in this
   * run.
   */
  IsKept?: boolean;
}

/** By step key. Steps without an entry have not started. */
export type StepStates = ReadonlyMap<string, StepState>;
