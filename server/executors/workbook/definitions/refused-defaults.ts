/**
 * Reports a workbook's own input values that its data validations refuse. Runs accept such a value only as long as
 * nobody changes it.
 */
import type { InputDefinition } from '#server/executors/activity-definition.ts';
import { initialFormInput } from '#shared/codecs/input-form.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import type { InputIssue } from '#shared/rules/input-rules.ts';
import { checkInput, countIssues } from '#shared/rules/input-rules.ts';
import { valueGrid } from '../anchors.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import { openInput } from '#shared/rules/open-input.ts';

/** Records the first such value of an input. Rules that depend on formulas are not evaluated. */
export function reportRefusedDefault(definition: InputDefinition, sheet: string, findings: ProblemList): void {
  const { Info, Name, location } = definition;
  if (!Info.Rules || Info.DefaultValue === null) return;
  const { Rules: _rules, ...unruled } = Info;
  const others = new Set(issuesOf(definition, unruled).map(keyOf));
  const refused = issuesOf(definition, Info).filter((issue) => !others.has(keyOf(issue)));
  const [first] = refused;
  if (!first) return;
  const more = countIssues(refused) - 1;
  const { rowAt, colAt } = valueGrid(location.block, location.anchors);
  const [row, col] = Info.RangeType === 'SingleRowOfSimilarValues' ? [0, first.row] : [first.row, first.col];
  findings.add(
    { sheet, cell: formatCell(rowAt(row ?? 0), colAt(col ?? 0)) },
    problem(
      `The data validation of the input '${Name}' refuses the value that the workbook has there` +
        `${more > 0 ? `, and ${more} more` : ''}: ${first.message.replace(/\.$/, '')}.`,
      'Change the value or the validation. A run accepts this value only as long as nobody enters another.',
    ),
  );
}

const keyOf = ({ row, col, message }: InputIssue): string => `${row} ${col} ${message}`;

function issuesOf({ Name, Description }: InputDefinition, Info: InputInfo): InputIssue[] {
  const input = openInput({ Name, Description, Info });
  // Checks the value as if a user had entered it.
  return checkInput({ ...input, Info: { ...Info, DefaultValue: null } }, initialFormInput(input));
}
