/**
 * State shared by a loaded workbook and all its copies: the formulas, compiled on first use, and their dependencies.
 */
import { compileFormula } from '../compile/compiler.ts';
import type { CompiledFormula } from '../compile/compiler.ts';
import type { FunctionDefinition } from '../functions/function.ts';
import type { WorkbookModel, WorkbookRegion } from '../reader/workbook-model.ts';
import { depthOf } from '../syntax/traverse.ts';
import { NAME_ERROR } from '../values/coerce.ts';
import { UNITED_STATES } from '../values/region/region.ts';
import type { RegionalSettings } from '../values/region/region.ts';
import { orderGroups } from './components.ts';
import type { Order } from './components.ts';
import { dataTables } from './data-tables.ts';
import type { DataTable } from './data-tables.ts';
import { Dependents } from './dependents.ts';
import type { FormulaGroup } from './formula-groups.ts';
import type { FormulaRecord } from './formula-trees.ts';
import { GroupIndex } from './group-index.ts';
import { readsOf } from './reads.ts';
import type { Reads } from './reads.ts';
import type { SavedResults } from './saved-results.ts';
import type { Scope } from './scope.ts';

export interface ReadyFormula extends CompiledFormula {
  /** Maximum nesting depth of its nodes: the stack depth needed to calculate it. */
  depth: number;
}

export type FindFunction = (name: string) => FunctionDefinition | undefined;

export class Book {
  readonly model: WorkbookModel;
  readonly scope: Scope;
  readonly groups: readonly FormulaGroup[];
  readonly findFunction: FindFunction;
  /** The regional settings for the calculation. */
  region: RegionalSettings = UNITED_STATES;
  /** The region of these settings, and what decided it. */
  regionOrigin: WorkbookRegion = { id: UNITED_STATES.id, source: 'None', told: null };
  private readonly savedResults: SavedResults | null;
  private readonly ready = new Map<FormulaRecord, ReadyFormula>();
  private readonly reads = new Map<FormulaRecord, Reads>();
  private ownOrder: Order | null = null;
  private ownDependents: Dependents | null = null;
  private ownHasDynamicArrays: boolean | null = null;
  private ownVolatile: number[] | null = null;
  private ownTables: DataTable[] | null = null;
  private ownGroupIndex: GroupIndex | null = null;

  /** Without `savedResults`, a formula that cannot be calculated is an error immediately. */
  constructor(
    model: WorkbookModel,
    scope: Scope,
    groups: readonly FormulaGroup[],
    findFunction: FindFunction,
    savedResults: SavedResults | null = null,
  ) {
    this.model = model;
    this.savedResults = savedResults;
    this.scope = scope;
    this.groups = groups;
    this.findFunction = findFunction;
  }

  formula(record: FormulaRecord): ReadyFormula {
    let ready = this.ready.get(record);
    if (!ready) this.ready.set(record, (ready = this.compile(record)));
    return ready;
  }

  private compile(record: FormulaRecord): ReadyFormula {
    const { scope, findFunction, savedResults } = this;
    const { tree, sheet, kind, isParenthesised } = record;
    if (!tree) {
      const traits = { volatile: false, isSubtotal: false, readsUnsaved: false, missing: new Set<string>() };
      return { code: () => NAME_ERROR, frameSize: 0, traits, depth: 1 };
    }
    const mode = kind === 'cells' ? 'scalar' : 'array';
    const compiled = compileFormula(tree, { scope, sheet, mode, findFunction, isParenthesised });
    const ready = { ...compiled, depth: depthOf(tree) };
    const { volatile, missing, readsUnsaved } = compiled.traits;
    if (!savedResults || volatile || (missing.size === 0 && !readsUnsaved)) return ready;
    const { reads, unknown } = this.readsOf(record);
    return unknown ? ready : { ...ready, code: savedResults.before(ready.code, record, reads) };
  }

  /** True if every cell is where the file has it: no table has gained or lost rows. */
  get isAsLoaded(): boolean {
    return this.savedResults !== null;
  }

  readsOf(record: FormulaRecord): Reads {
    let reads = this.reads.get(record);
    if (!reads) {
      reads = record.tree ? readsOf(record.tree, record.sheet, this.scope) : { reads: [], unknown: false };
      this.reads.set(record, reads);
    }
    return reads;
  }

  get order(): Order {
    this.ownOrder ??= orderGroups(
      this.groups,
      this.groupIndex,
      (group) => this.readsOf(this.groups[group]!.record).reads,
    );
    return this.ownOrder;
  }

  get groupIndex(): GroupIndex {
    this.ownGroupIndex ??= new GroupIndex(this.model.sheets.length, this.groups);
    return this.ownGroupIndex;
  }

  get dependents(): Dependents {
    this.ownDependents ??= new Dependents(
      this.model.sheets.length,
      this.groups,
      (group) => this.readsOf(this.groups[group]!.record).reads,
    );
    return this.ownDependents;
  }

  get dataTables(): readonly DataTable[] {
    this.ownTables ??= dataTables(this.model);
    return this.ownTables;
  }

  /** True if a formula may fill more cells than its own, depending on its result. */
  get hasDynamicArrays(): boolean {
    this.ownHasDynamicArrays ??= this.groups.some(({ record }) => record.kind === 'dynamic');
    return this.ownHasDynamicArrays;
  }

  /** Numbers of the groups that are recalculated every time. */
  get volatile(): readonly number[] {
    this.ownVolatile ??= this.groups.flatMap(({ record }, number) =>
      this.formula(record).traits.volatile || this.readsOf(record).unknown ? [number] : [],
    );
    return this.ownVolatile;
  }
}
