import { HTMLSelect } from '@blueprintjs/core';
import type { WorkflowGraphData } from '#shared/contract/workflows.ts';
import type { ValueSource } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import { isSameSource, sourceText, type Offer, type OfferGroup } from './offered-sources.ts';

interface SourceSelectProps {
  id?: string;
  label?: string;
  graph: WorkflowGraphData;
  value: ValueSource | null;
  groups: readonly OfferGroup[];
  /** Text of the option for no source. */
  noneText: string;
  disabled: boolean;
  onChange: (from: ValueSource | null) => void;
}

const UNFIT = 'unfit';
const keyOf = ({ from }: Offer): string => JSON.stringify(from);

/** Chooses the source of a value. A chosen source stays visible even if it no longer fits. */
export function SourceSelect({ id, label, graph, value, groups, noneText, disabled, onChange }: SourceSelectProps) {
  const offers = groups.flatMap((group) => group.offers);
  const chosen = value === null ? undefined : offers.find(({ from }) => isSameSource(from, value));
  const isUnfit = value !== null && value.Name !== '' && !chosen;
  return (
    <HTMLSelect
      id={id}
      aria-label={label}
      fill
      disabled={disabled}
      value={isUnfit ? UNFIT : chosen ? keyOf(chosen) : ''}
      onChange={({ currentTarget: { value: key } }) =>
        key !== UNFIT && onChange(offers.find((offer) => keyOf(offer) === key)?.from ?? null)
      }
    >
      <option value="">{noneText}</option>
      {isUnfit && <option value={UNFIT}>{t('{source} (does not fit)', { source: sourceText(graph, value) })}</option>}
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
