/** The formulas with which a workflow filled the inputs of a step's run, as its plan pinned them. */
import type { Knex } from 'knex';
import { nameKey } from '#server/versions/version-catalog.ts';
import { shownExpression } from '#shared/rules/workflows/expression-names.ts';
import { readPlan } from './workflow-plans.ts';

/** By nameKey of the input; empty if the run belongs to no workflow. */
export async function readFormulasOfRun(
  db: Knex,
  { ChecklistRunId, StepKey }: { ChecklistRunId: number | null; StepKey: string | null },
): Promise<ReadonlyMap<string, string>> {
  const row =
    ChecklistRunId === null ? undefined : await db('ChecklistRuns').where('Id', ChecklistRunId).first('PlanId');
  const plan = row && (await readPlan(db, row.PlanId));
  const step = plan?.Graph.Steps.find(({ Key }) => Key === StepKey);
  const mappings = step && 'Inputs' in step ? step.Inputs : [];
  return new Map(
    mappings.flatMap(({ Input, From }) =>
      From.Kind === 'Expression' ? [[nameKey(Input), shownExpression(From.Formula)]] : [],
    ),
  );
}
