import { AccessMark, accessOf, accessText } from '#renderer/features/rights/AccessMark.tsx';
import { TechnicalName, technicalText } from './TechnicalName.tsx';
import { plainRight } from './right-name.ts';
import { scopeText, type ScopeFields } from '#renderer/features/rights/scope.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import type { MatrixRow } from './matrix-rows.ts';

type RightRow = ScopeFields & { RightName: string; Access: boolean };

export function accessColumn<Row extends { Access: boolean }>(): GridColumn<Row> {
  return {
    key: 'Access',
    title: t('Access'),
    width: 120,
    text: (row) => accessText(accessOf(row.Access)),
    render: (row) => <AccessMark access={accessOf(row.Access)} />,
  };
}

export function scopeColumn<Row extends ScopeFields>(): GridColumn<Row> {
  return { key: 'Scope', title: t('Scope'), text: scopeText };
}

/**
 * Returns 'Run activities (sk.RunActivity)'. Names that are no rights, such as some ImpliedBy values, stay unchanged.
 */
export const rightText = (name: string): string => technicalText(plainRight(name), name);

/** Column with the plain name of a right, followed by its technical name. */
export function rightColumn<Row>(nameOf: (row: Row) => string): GridColumn<Row> {
  return {
    key: 'RightName',
    title: t('Right Name'),
    text: (row) => rightText(nameOf(row)),
    render: (row) => <TechnicalName plain={plainRight(nameOf(row))} technical={nameOf(row)} />,
    givesWayTo: 180,
  };
}

/** The columns Right Name, Scope and Access of grouped rows. */
export function rightColumns<Detail extends RightRow>(): GridColumn<MatrixRow<Detail>>[] {
  return [
    rightColumn((row) => row.head.RightName),
    { key: 'Scope', title: t('Scope'), text: (row) => scopeText(row.head) },
    accessColumn(),
  ];
}
