import { HTMLSelect } from '@blueprintjs/core';
import type { WorkflowGraphData } from '#shared/contract/workflows.ts';
import type { ConstantSource, ExpressionSource, ValueSource } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import { nameInFormula } from './formula-names.ts';
import { isSameSource, sourceText, type Offer, type OfferGroup } from './offered-sources.ts';

interface SourceSelectProps {
  id?: string;
  label?: string;
  graph: WorkflowGraphData;
  value: ValueSource | null;
  groups: readonly OfferGroup[];
  /** Text of the option for no source. */
  noneText: string;
  /** The kinds of values that the author enters here, which are offered besides the groups. */
  own?: readonly OwnKind[];
  disabled: boolean;
  onChange: (from: ValueSource | null) => void;
}

/** Values that the author of a workflow enters. */
export type OwnKind = (ConstantSource | ExpressionSource)['Kind'];

const UNFIT = 'unfit';
const keyOf = ({ from }: Offer): string => JSON.stringify(from);

const OWN_TEXT: Record<OwnKind, string> = {
  Constant: t('Constant'),
  Expression: t('Formula'),
};

/** A formula begins with the name of the value that was chosen before. */
function newOwnValue(kind: OwnKind, graph: WorkflowGraphData, before: ValueSource | null): ValueSource {
  if (kind === 'Constant') return { Kind: 'Constant', Value: null };
  return { Kind: 'Expression', Formula: before ? nameInFormula(graph, before) : '' };
}

/** Chooses the source of a value. A chosen source stays visible even if it no longer fits. */
export function SourceSelect(props: SourceSelectProps) {
  const { id, label, graph, value, groups, noneText, own = [], disabled, onChange } = props;
  const offers = groups.flatMap((group) => group.offers);
  const chosen = value === null ? undefined : offers.find(({ from }) => isSameSource(from, value));
  const ownKind = own.find((kind) => kind === value?.Kind);
  const isUnfit = value !== null && !ownKind && !chosen && sourceText(graph, value) !== '';
  const choose = (key: string): void => {
    const kind = own.find((one) => one === key);
    if (kind) onChange(newOwnValue(kind, graph, value));
    else if (key !== UNFIT) onChange(offers.find((offer) => keyOf(offer) === key)?.from ?? null);
  };
  return (
    <HTMLSelect
      id={id}
      aria-label={label}
      fill
      disabled={disabled}
      value={ownKind ?? (isUnfit ? UNFIT : chosen ? keyOf(chosen) : '')}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">{noneText}</option>
      {isUnfit && <option value={UNFIT}>{t('{source} (does not fit)', { source: sourceText(graph, value) })}</option>}
      {own.length > 0 && (
        <optgroup label={t('Own value')}>
          {own.map((kind) => (
            <option key={kind} value={kind}>
              {OWN_TEXT[kind]}
            </option>
          ))}
        </optgroup>
      )}
      {groups.map(({ title, offers }) => (
        <optgroup key={title} label={title}>
          {offers.map((offer) => (
            <option key={keyOf(offer)} value={keyOf(offer)}>
              {offer.text}
            </option>
          ))}
        </optgroup>
      ))}
    </HTMLSelect>
  );
}
