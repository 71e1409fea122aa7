/** Converts a database's description of a procedure to the shape of the contract. */
import type { ProcedureColumn, ProcedureParameter } from '#server/base/procedure-types.ts';
import type * as contract from '#shared/contract/procedures.ts';
import type { FoundProcedure } from './procedure-access.ts';
import { procedureNameOf } from './procedure-access.ts';
import { inputUsage, outputUsage, rangeTypeOf } from './parameter-shapes.ts';
import { definitionProblems, definitionOf, firstSettings, hasReturnCode } from './procedure-definition-of.ts';

export function describedProcedure(found: FoundProcedure): contract.ProcedureDescription {
  const { connection, procedure } = found;
  const Settings = firstSettings(found);
  return {
    ProcedureName: procedureNameOf(connection.name, procedure.name),
    ConnectionName: connection.name,
    Kind: kindOf(procedure),
    Parameters: procedure.parameters.filter(({ isCursor }) => !isCursor).map(parameterOf),
    Results: procedure.results.map((columns) => columns && { Columns: columns.map(resultColumn) }),
    ResultsAreAll: procedure.resultsAreAll,
    HasReturnCode: hasReturnCode(found),
    Refusals: definitionProblems(found, Settings, definitionOf(found, Settings)),
    Settings,
  };
}

export const kindOf = ({ kind }: { kind: 'procedure' | 'function' }): 'Procedure' | 'Function' =>
  kind === 'procedure' ? 'Procedure' : 'Function';

const DIRECTIONS = { in: 'In', out: 'Out', inout: 'InOut' } as const;

function parameterOf({
  name,
  type,
  direction,
  mayBeLeftOut,
  defaultText,
}: ProcedureParameter): contract.ProcedureParameter {
  return {
    Name: name,
    DataType: type.declared,
    Direction: DIRECTIONS[direction],
    RangeType: rangeTypeOf(type),
    CellUsage: direction === 'out' && type.kind !== 'File' ? outputUsage(type) : inputUsage(type, false),
    HasDefault: mayBeLeftOut,
    DefaultText: defaultText,
    Items: type.kind === 'Enum' ? [...type.labels] : null,
    Columns: type.columns.map((column) => ({
      Name: column.name,
      DataType: column.type.declared,
      CellUsage: inputUsage(column.type, false),
    })),
  };
}

export const resultColumn = ({ name, type }: ProcedureColumn): contract.ProcedureColumn => ({
  Name: name,
  DataType: type.declared,
  CellUsage: outputUsage(type),
});
